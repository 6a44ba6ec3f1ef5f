export const memberNames = `
  🐶 Hund, 🐱 Katze, 🐭 Maus, 🐰 Hase, 🦊 Fuchs, 🐻 Bär, 🐼 Panda, 🐨 Koala, 🐯 Tiger, 🦁 Löwe, 🐮 Kuh,
  🐷 Schwein, 🐸 Frosch, 🐵 Affe, 🐔 Huhn, 🐧 Pinguin, 🐺 Wolf, 🐴 Pferd, 🦄 Einhorn, 🐝 Biene, 🐛 Raupe,
  🐌 Schnecke, 🐞 Marienkäfer, 🐢 Schildkröte, 🐍 Schlange, 🦀 Krabbe, 🐙 Krake, 🐠 Fisch, 🐬 Delfin, 🐳 Wal,
  🐊 Krokodil, 🐘 Elefant, 🐪 Kamel, 🐑 Schaf, 🦉 Eule, 🌵 Kaktus, 🌻 Sonnenblume, 🍄 Pilz, 🌈 Regenbogen,
  ⭐ Stern, 🍎 Apfel, 🍋 Zitrone, 🍇 Trauben, 🍓 Erdbeere, 🍒 Kirschen, 🍍 Ananas, 🌽 Mais, 🍕 Pizza, 🍩 Donut,
  🍪 Keks, 🎃 Kürbis, 👻 Gespenst, 🤖 Roboter, 👽 Alien, 🚀 Rakete, ⛵ Boot, 🎈 Ballon, 🎸 Gitarre, ⚽ Fußball,
  🏀 Basketball, 💎 Diamant, 🔔 Glocke, 🌙 Mond, 🍉 Melone, 🍌 Banane, 🍦 Eis, 👤 Jemand Unbekanntes
`;
