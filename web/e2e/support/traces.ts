import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Something that a server has put down, and what is in it. */
export type Trace = [where: string, bytes: Buffer];

/** All files below a folder. One that is removed meanwhile is none. */
export function filesBelow(folder: string): Trace[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry): Trace[] => {
    const path = join(entry.parentPath, entry.name);
    try {
      return entry.isFile() ? [[path, readFileSync(path)]] : [];
    } catch {
      return [];
    }
  });
}
