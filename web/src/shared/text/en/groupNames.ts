/** Names for groups, for those who can think of none. */
export const groupNames = {
  fancy: `
      Midnight Tacos, The Velvet Hammock, Council of Owls, Soup of the Century, Unlicensed Wizards,
      Pigeons With Opinions, The Last Biscuit, Moonlight Committee, Suspicious Pancakes,
      Cloud Nine and a Half, The Whispering Cacti, Secret Sock Society, Gravity Optional,
      Parliament of Ducks, Loud Libraries, Accidental Geniuses, The Polite Volcano, Noodles at Dawn,
      Invisible Orchestra, Tea With Strangers
    `
    .trim()
    .split(/,\s+/),
};
