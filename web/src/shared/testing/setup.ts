import { configure } from "@testing-library/dom";
import { afterEach } from "vitest";

/** Shorter than a test's own time limit, so that a failure says what the test waited for. */
configure({ asyncUtilTimeout: 25_000 });

/** With this the testing library removes what a test has drawn. */
Object.assign(globalThis, { afterEach });
