import { ROOM_MEMBERS } from "@/shared/contract/limits";

/**
 * How many seats a group has, and one more, as sentences say it. `names` are a language's words for the numbers from 0;
 * a number beyond them is written in digits.
 */
export function seatWords(names: string) {
  const words = names.split(" ");
  const word = (value: number) => words[value] ?? String(value);
  const seats = word(ROOM_MEMBERS);
  return {
    seats,
    /** At the start of a sentence. */
    Seats: seats.charAt(0).toUpperCase() + seats.slice(1),
    seatsAndOne: word(ROOM_MEMBERS + 1),
  };
}
