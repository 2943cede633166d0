// Handlers as a default object.

export default { "say hello": () => "hello" };
