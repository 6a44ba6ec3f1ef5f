import { deviceStorage } from "@/shared/storage";

const KEY = "annon.sound";

let audio: AudioContext | undefined;

export function soundIsOn(): boolean {
  return deviceStorage.getItem(KEY) !== "off";
}

/** For every room. The choice is kept on this device. */
export function setSound(isOn: boolean) {
  deviceStorage.setItem(KEY, isOn ? "on" : "off");
}

/** A message was sent: two short tones, going up. */
export function playSent() {
  play(0.08, 587, 880);
}

/** At most one sound in this time, however many messages come. */
const QUIET_MS = 1000;
let playedAt = Number.NEGATIVE_INFINITY;

/** A message came from somebody else: one short, low tone, softer than for a message of one's own. */
export function playArrived() {
  // Browsers allow no sound before the first tap or key, and write a warning to the console.
  const wasUsed = navigator.userActivation?.hasBeenActive ?? audio !== undefined;
  const now = performance.now();
  if (!soundIsOn() || !wasUsed || now - playedAt < QUIET_MS) return;
  playedAt = now;
  play(0.04, 494);
}

function play(loudness: number, ...pitches: number[]) {
  if (!soundIsOn() || typeof AudioContext === "undefined") return;
  try {
    audio ??= new AudioContext();
    void audio.resume();
    for (const [at, pitch] of pitches.entries()) tone(audio, pitch, at * 0.07, loudness);
  } catch {
    // Without a sound card everything else still works.
  }
}

function tone(context: AudioContext, pitch: number, delay: number, loudness: number) {
  const from = context.currentTime + delay;
  const oscillator = new OscillatorNode(context, { frequency: pitch, type: "sine" });
  const volume = new GainNode(context, { gain: 0 });
  volume.gain.setValueAtTime(0, from);
  volume.gain.linearRampToValueAtTime(loudness, from + 0.012);
  volume.gain.exponentialRampToValueAtTime(0.0001, from + 0.12);
  oscillator.connect(volume).connect(context.destination);
  oscillator.start(from);
  oscillator.stop(from + 0.13);
}
