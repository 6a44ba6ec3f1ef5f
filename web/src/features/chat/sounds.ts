const KEY = "annon.sound";

let audio: AudioContext | undefined;
/** What was chosen on this page; it counts where nothing can be kept. */
let choice: string | undefined;

export function soundIsOn(): boolean {
  return read() !== "off";
}

/** Kept on this device, for every room. */
export function setSound(isOn: boolean) {
  choice = isOn ? "on" : "off";
  try {
    localStorage.setItem(KEY, choice);
  } catch {
    // Then it holds for this page.
  }
}

function read(): string {
  if (choice !== undefined) return choice;
  try {
    return localStorage.getItem(KEY) ?? "on";
  } catch {
    return "on";
  }
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
