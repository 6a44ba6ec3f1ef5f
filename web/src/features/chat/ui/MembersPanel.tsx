import { useScreen } from "./chatContext";
import { MemberList } from "./MemberList";

/** The list of members, while it is asked for. */
export function MembersPanel() {
  return useScreen((screen) => screen.membersShown) ? <MemberList /> : null;
}
