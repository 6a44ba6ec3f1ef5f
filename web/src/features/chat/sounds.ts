import { deviceStorage } from "@/shared/storage";

const KEY = "annon.sound";

let audio: AudioContext | undefined;

export function soundIsOn(): boolean {
  return deviceStorage.getItem(KEY) !== "off";
}

/** Kept on this device, for every room. */
export function setSound(isOn: boolean) {
  deviceStorage.setItem(KEY, isOn ? "on" : "off");
}

/** A message was sent: two short tones, going up. */
export function playSent() {
  if (!soundIsOn() || typeof AudioContext === "undefined") return;
  try {
    // Made at the first sending, which is a tap or a key: before one, browsers keep it silent.
    audio ??= new AudioContext();
    void audio.resume();
    tone(audio, 587, 0);
    tone(audio, 880, 0.07);
  } catch {
    // No sound card is no reason not to send.
  }
}

function tone(context: AudioContext, pitch: number, delay: number) {
  const from = context.currentTime + delay;
  const oscillator = new OscillatorNode(context, { frequency: pitch, type: "sine" });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0, from);
  volume.gain.linearRampToValueAtTime(0.08, from + 0.012);
  volume.gain.exponentialRampToValueAtTime(0.0001, from + 0.12);
  oscillator.connect(volume).connect(context.destination);
  oscillator.start(from);
  oscillator.stop(from + 0.13);
}
