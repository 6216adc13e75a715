import { part } from '../text.ts'

/** Texts shown while the data link of a session is off. */
export const dataLinkText = part('dataLink', {
  car: 'Data link off by the rules of this series',
  team: 'The data link to this car is off',
})

declare module '../text.ts' {
  interface Text {
    readonly dataLink: typeof dataLinkText
  }
}
