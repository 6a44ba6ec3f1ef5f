import { api } from "./api";
import { isRefusedWith } from "./client";

/** Whether the server has said that nobody has the name that was asked for. */
export const isNobody = (failure: unknown) => isRefusedWith(failure, "no_such_person");

/** Whether nobody has this name any more. If the server doesn't say, somebody does. */
export function hasLeft(username: string): Promise<boolean> {
  return api("get", "/api/annon/{username}", { params: { username } }).then(() => false, isNobody);
}
