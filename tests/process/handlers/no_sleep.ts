// A SLEEP that doesn't sleep.

export const SLEEP = () => "awake";
