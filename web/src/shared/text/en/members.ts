/** The names of the emoji that members get (`contract/palette.ts`), because a browser can't tell the name of an emoji. */
export const memberNames = `
  🐶 Dog, 🐱 Cat, 🐭 Mouse, 🐰 Rabbit, 🦊 Fox, 🐻 Bear, 🐼 Panda, 🐨 Koala, 🐯 Tiger, 🦁 Lion, 🐮 Cow, 🐷 Pig,
  🐸 Frog, 🐵 Monkey, 🐔 Chicken, 🐧 Penguin, 🐺 Wolf, 🐴 Horse, 🦄 Unicorn, 🐝 Bee, 🐛 Caterpillar, 🐌 Snail,
  🐞 Ladybird, 🐢 Turtle, 🐍 Snake, 🦀 Crab, 🐙 Octopus, 🐠 Fish, 🐬 Dolphin, 🐳 Whale, 🐊 Crocodile,
  🐘 Elephant, 🐪 Camel, 🐑 Sheep, 🦉 Owl, 🌵 Cactus, 🌻 Sunflower, 🍄 Mushroom, 🌈 Rainbow, ⭐ Star, 🍎 Apple,
  🍋 Lemon, 🍇 Grapes, 🍓 Strawberry, 🍒 Cherries, 🍍 Pineapple, 🌽 Corn, 🍕 Pizza, 🍩 Doughnut, 🍪 Biscuit,
  🎃 Pumpkin, 👻 Ghost, 🤖 Robot, 👽 Alien, 🚀 Rocket, ⛵ Boat, 🎈 Balloon, 🎸 Guitar, ⚽ Football,
  🏀 Basketball, 💎 Diamond, 🔔 Bell, 🌙 Moon, 🍉 Melon, 🍌 Banana, 🍦 Ice cream, 👤 Someone unknown
`;
