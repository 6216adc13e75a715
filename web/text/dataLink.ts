/** Texts shown while the data link of a session is off. */
export const dataLinkText = {
  car: 'Data link off by the rules of this series',
  team: 'The data link to this car is off',
}
