import { expect, test, vi } from "vitest";
import { Previews } from "./Previews";

test("previews are bounded: the oldest that the server has go first, and the server's are shown for them", () => {
  const revoked = vi.spyOn(URL, "revokeObjectURL");
  const served: string[] = [];
  const previews = new Previews((id, address) => served.push(`${id} ${address}`));
  previews.of("waiting", new Blob());
  const made = Array.from({ length: 42 }, (_, at) => {
    const address = previews.of(`id-${at}`, new Blob());
    for (let time = 0; time < 2; time += 1) previews.settled(`id-${at}`, `/${at}`);
    return address;
  });
  expect(served).toEqual(["id-0 /0", "id-1 /1"]);
  expect(revoked.mock.calls.flat()).toEqual(made.slice(0, 2));
  previews.dropAll();
  expect(revoked).toHaveBeenCalledTimes(43);
});
