// A module without handlers.

export const version = 1;
