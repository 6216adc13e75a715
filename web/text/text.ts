import type { appText } from './app.ts'
import type { authText } from './auth.ts'
import type { driveText } from './drive.ts'
import type { logText } from './log.ts'
import type { mapText } from './map.ts'
import type { membersText } from './members.ts'
import type { messageText } from './message.ts'
import type { preflightText } from './preflight.ts'
import type { profileText } from './profile.ts'
import type { refusalsText } from './refusals.ts'
import type { teamsText } from './teams.ts'

/**
 * Every sentence of the app, by part; an add-on declares its own parts. The English parts are in the other files of this folder and load
 * with their screens. Another language is one more value of this type: one file, in which
 * the compiler reports missing sentences.
 */
export interface Text {
  readonly app: typeof appText
  readonly auth: typeof authText
  readonly teams: typeof teamsText
  readonly members: typeof membersText
  readonly profile: typeof profileText
  readonly refusals: typeof refusalsText
  readonly message: typeof messageText
  readonly map: typeof mapText
  readonly drive: typeof driveText
  readonly preflight: typeof preflightText
  readonly log: typeof logText
}

export type Languages = Readonly<Record<string, () => Promise<Text>>>

/** Languages other than English, by tag: `de: async () => (await import('./de.ts')).de`. */
const languages: Languages = {}

const parts = new Map<keyof Text, object>()
let translation: Text | null = null

/** Registers a part of the catalogue. It is in English until another language is chosen. */
export function part<Words extends object>(name: keyof Text, english: Words): Readonly<Words> {
  const words = { ...english, ...translation?.[name] }
  parts.set(name, words)
  return words
}

/**
 * Chooses the first preferred language that exists; English if there is none, or if it fails to load.
 * Call it before the first render: texts already rendered are not updated.
 */
export async function chooseLanguage(wanted: readonly string[], offered: Languages = languages) {
  const tag = firstOf(wanted, ['en', ...Object.keys(offered)])
  const text = await offered[tag]?.().catch(() => null)
  if (!text) return
  translation = text
  for (const [name, words] of parts) Object.assign(words, text[name])
  document.documentElement.lang = tag
}

/** Falls back from a regional tag such as de-CH to de. */
function firstOf(wanted: readonly string[], offered: readonly string[]): string {
  for (const tag of wanted) {
    const fitting = offered.find(each => tag === each || tag.startsWith(`${each}-`))
    if (fitting) return fitting
  }
  return 'en'
}
