import { configure } from "@testing-library/dom";

/** How long a test waits for what has to come: short of its own limit, so that it can say what it waited for. */
configure({ asyncUtilTimeout: 25_000 });
