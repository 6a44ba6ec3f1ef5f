import type { GroupNamesText } from "../groupNamesText";

export const groupNames: GroupNamesText = {
  fancy: `
      Mitternachtstacos, Die samtene Hängematte, Rat der Eulen, Suppe des Jahrhunderts,
      Zauberer ohne Lizenz, Tauben mit Meinung, Der letzte Keks, Mondscheinausschuss,
      Verdächtige Pfannkuchen, Wolke siebeneinhalb, Die flüsternden Kakteen, Geheimbund der Socken,
      Schwerkraft nach Wahl, Parlament der Enten, Laute Bibliotheken, Genies aus Versehen,
      Der höfliche Vulkan, Nudeln im Morgengrauen, Das unsichtbare Orchester, Tee mit Fremden
    `
    .trim()
    .split(/,\s+/),
};
