// Handlers as a default object, with a name that no function could have.

export default { "with space": () => "default object" };
