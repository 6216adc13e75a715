import { appText } from './app.ts'
import { authText } from './auth.ts'
import type { driveText } from './drive.ts'
import type { mapText } from './map.ts'
import { membersText } from './members.ts'
import type { messageText } from './message.ts'
import { profileText } from './profile.ts'
import { refusalsText } from './refusals.ts'
import { teamsText } from './teams.ts'

const english = {
  app: appText,
  auth: authText,
  teams: teamsText,
  members: membersText,
  profile: profileText,
  refusals: refusalsText,
} as const

/** These load with their screens, which read them from the files beside this one. */
interface LiveScreens {
  readonly message: typeof messageText
  readonly map: typeof mapText
  readonly drive: typeof driveText
}

/**
 * Every sentence of the app, by feature. Another language is one more value of this type: one file,
 * in which the compiler finds what is missing.
 */
export type Text = Wording<typeof english & LiveScreens>

/** The catalogue of the ordinary pages. What the specification words is kept letter by letter. */
export const en: Pick<Text, keyof typeof english> = english

type Wording<Part> = Part extends string
  ? string
  : Part extends (...about: infer About) => string
    ? (...about: About) => string
    : { readonly [Key in keyof Part]: Wording<Part[Key]> }
