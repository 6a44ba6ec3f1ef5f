import { seatWords } from "../seatWords";

export const { seats, Seats, seatsAndOne } = seatWords(
  "null eins zwei drei vier fünf sechs sieben acht neun zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn",
);
