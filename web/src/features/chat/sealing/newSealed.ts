import { keysOf, newKey } from "./keys";
import { sealName } from "./name";

/** What the server is told of a new group, and the key for its link. */
export async function newSealed(name: string): Promise<{ name: string; check: string; key: string }> {
  const key = newKey();
  const keys = await keysOf(key);
  if (!keys) throw new Error("a new key is one");
  return { name: await sealName(keys, name), check: keys.check, key };
}
