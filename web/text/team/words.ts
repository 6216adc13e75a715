import type { WordColour } from '#contract/shared/ownWords.ts'
import { part } from '../text.ts'

export const wordsText = part('words', {
  more: 'More',
  moreShows: (word: string) => `More: ${word}`,
  moreTitle: 'More messages',
  moreTo: (car: string) => `More messages to ${car}`,
  none: 'Your team has no words of its own yet.',
  edit: 'Edit words',
  failed: 'The words of the team did not load',
  cancel: 'Cancel',

  page: 'Own words',
  loading: 'Loading the words',
  hint: 'Up to four words of your own. They are under More on the message screen and the pit wall, expire like EASY and can be asked.',
  viewOnly: 'You watch this team. Its members change the words.',
  add: 'Add word',
  addFirst: 'Add the first word, such as BOX 2 or COOL.',
  full: 'A team has at most four words.',
  editWord: 'Edit word',
  word: 'Word',
  letters: (left: string) => `${left} characters left`,
  colour: 'Colour',
  colours: {
    easy: 'Teal',
    go: 'Green',
    push: 'Blue',
    pit: 'Yellow',
    fuel: 'Orange',
    fcy: 'Cream',
  } satisfies Record<WordColour, string>,
  preview: "The plate, and the driver's screen",
  save: 'Save',
  change: (word: string) => `Edit ${word}`,
  remove: (word: string) => `Delete ${word}`,
  removed: (word: string) => `${word} deleted`,
  removedText: 'Sent messages keep it.',
  undo: 'Undo',
  restored: (word: string) => `${word} restored`,
  notRemoved: (word: string) => `${word} was not deleted`,
  notRestored: (word: string) => `${word} was not restored`,
  tryAgain: 'Try again',
})

declare module '../text.ts' {
  interface Text {
    readonly words: typeof wordsText
  }
}
