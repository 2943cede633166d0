// A module that can't be loaded.

throw new Error("broken on purpose");
