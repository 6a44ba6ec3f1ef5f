import { configure } from "@testing-library/dom";
import { afterEach } from "vitest";

/** How long a test waits for what has to come: short of its own limit, so that it can say what it waited for. */
configure({ asyncUtilTimeout: 25_000 });

/** The testing library takes down what a test has drawn, where it finds this. */
Object.assign(globalThis, { afterEach });
