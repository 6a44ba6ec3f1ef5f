import { configure } from "@testing-library/dom";
import { afterEach } from "vitest";

/** Shorter than a test's own time limit, so that a failure says what the test waited for. */
configure({ asyncUtilTimeout: 25_000 });

/** The testing library looks for a global `afterEach`, in which it removes what a test has drawn. */
Object.assign(globalThis, { afterEach });
