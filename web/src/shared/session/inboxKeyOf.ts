import { deviceStorage } from "@/shared/storage";
import { forgetInboxKey } from "./inboxOnDevice";

/** Under which the device's storage has the name of the account whose inbox's key it has. */
const INBOX_KEY_OF = "annon.inboxKeyOf";

/** Notes whose key the device has now. */
export const noteInboxKeyOf = (username: string) => void deviceStorage.setItem(INBOX_KEY_OF, username);

/** Forgets the key of whoever was signed in on this device before, if that was somebody else. */
export function forgetOthersInboxKey(username: string) {
  const owner = deviceStorage.getItem(INBOX_KEY_OF);
  if (owner === null || owner === username) return;
  deviceStorage.removeItem(INBOX_KEY_OF);
  forgetInboxKey();
}
