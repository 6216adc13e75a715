import { appText } from './app.ts'
import { authText } from './auth.ts'
import { membersText } from './members.ts'
import { profileText } from './profile.ts'
import { refusalsText } from './refusals.ts'
import { teamsText } from './teams.ts'

/**
 * The sentences of the ordinary pages, by feature; those of the drive and message screens and the map
 * are in files beside this one and load with their screens. What the specification words is kept
 * letter by letter.
 */
export const en = {
  app: appText,
  auth: authText,
  teams: teamsText,
  members: membersText,
  profile: profileText,
  refusals: refusalsText,
} as const
