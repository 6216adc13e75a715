import { appText } from './app.ts'
import { authText } from './auth.ts'
import { driveText } from './drive.ts'
import { mapText } from './map.ts'
import { membersText } from './members.ts'
import { messageText } from './message.ts'
import { profileText } from './profile.ts'
import { refusalsText } from './refusals.ts'
import { teamsText } from './teams.ts'

const english = {
  app: appText,
  auth: authText,
  teams: teamsText,
  members: membersText,
  message: messageText,
  map: mapText,
  drive: driveText,
  profile: profileText,
  refusals: refusalsText,
} as const

/**
 * Every sentence of the app, by feature. Another language is one more value of this type: one file,
 * in which the compiler finds what is missing.
 */
export type Text = Wording<typeof english>

/** The catalogue of the app. What the specification words is kept letter by letter. */
export const en: Text = english

type Wording<Part> = Part extends string
  ? string
  : Part extends (...about: infer About) => string
    ? (...about: About) => string
    : { readonly [Key in keyof Part]: Wording<Part[Key]> }
