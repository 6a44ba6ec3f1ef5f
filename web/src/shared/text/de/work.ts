import type { WorkText } from "../workText";

export const work: WorkText = {
  why: "Dieser Posteingang ist vor Spam geschützt. Dein Browser muss erst etwas ausrechnen, bevor deine Nachricht rausgeht. Über dich sagt das nichts.",
  about: (time) => `Dauert auf diesem Gerät meist etwa ${time}.`,
  progress: "Wie wahrscheinlich es schon fertig ist",
  stop: "Anhalten",
  stopped: "Angehalten. Deine Nachricht wurde nicht gesendet.",
  failed: "Dein Browser konnte nicht ausrechnen, was diesen Posteingang vor Spam schützt.",
};
