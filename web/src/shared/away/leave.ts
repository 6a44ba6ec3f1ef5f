import { api } from "@/shared/api/api";
import { idOf, present } from "./subscription";

/** Has the server forget this browser, for whoever signs out: the next user of it must not hear of their notes. */
export async function leave(token: string): Promise<void> {
  const subscription = await present();
  if (subscription)
    await api("delete", "/api/push/{id}", { params: { id: await idOf(subscription) }, token });
}
