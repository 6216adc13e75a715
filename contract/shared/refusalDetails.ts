// No zod here: the browser needs these at run time, but only after a refusal with a detail.

import { longestCircuitM, shortestCircuitM } from './bounds.ts'
import { hourMs } from './durations.ts'
import { maxFileBytes, maxImageSidePx, maxTeamBytes, maxTeamFiles } from './fileRules.ts'
import { maxOwnWords, maxWordLetters } from './ownWords.ts'
import {
  maxRecordingMs,
  maxRecordingUploadBytes,
  maxTeamRecordedFixes,
  maxUnpackedBytes,
} from './recordingRules.ts'
import { storedBounds } from './storedBounds.ts'
import { maxTeamTimingLetters, maxTimingLetters } from './timingRules.ts'

export type RefusalDetail = keyof typeof detailSentences

/**
 * The sentence of each detail: the exact reason for a field or a request, where the code alone is too
 * general.
 */
export const detailSentences = {
  missing: 'Fill this in.',
  'not-valid': 'This is not valid.',
  'too-long': 'This is too long.',
  'not-printable': 'Use letters, digits and punctuation only.',
  'email-incomplete': 'Enter a complete email address.',
  'email-not-yours': 'This is not the email address of your account.',
  'email-unchanged': 'This is your email address already.',
  'code-not-matching': 'That code did not match. Check the newest email.',
  'file-empty': 'This file is empty.',
  'file-too-large': `Use a file of at most ${maxFileBytes / 2 ** 20} MB.`,
  'files-too-many': `This team has ${maxTeamFiles} files. Delete one first.`,
  'name-contact': 'Use a name without a phone number, web address or email address.',
  'files-too-large': `A team's files may take ${maxTeamBytes / 2 ** 20} MB together. Delete some first.`,
  'files-unreachable': 'Files cannot be reached. Try again.',
  'uploads-busy': 'Other uploads are in progress. Wait a moment, then try again.',
  'picture-too-large': `Use a picture of at most ${maxImageSidePx} pixels a side.`,
  'picture-damaged': 'Browsers cannot show this picture.',
  'picture-needed': 'Use a PNG, JPEG or WebP picture.',
  'recording-unreadable':
    'This file has no positions that can be read. Use VBO, GPX, TCX, KML, NMEA, RaceChrono CSV, or a CSV file with the columns utc_s, latitude_deg and longitude_deg.',
  'recording-without-times':
    'The positions in this file have no times, so laps cannot be timed. Export the recording with times.',
  'recording-slow':
    'Reading this recording takes the server too long. Try again later, or import a shorter part.',
  'read-slow': 'Reading this takes the server too long at the moment. Try again later.',
  'recording-too-large': `This recording is too large: use at most ${maxUnpackedBytes / 2 ** 20} MB, and ${maxRecordingUploadBytes / 2 ** 20} MB compressed. Export it with fewer positions a second, or in parts.`,
  'recording-too-long': `Use a recording of at most ${maxRecordingMs / hourMs} hours.`,
  'recording-undated': 'This recording contains no date. Enter the day.',
  'recording-future':
    'This recording has times in the future. Correct the day, or the clock of the receiver.',
  'recordings-too-many': `This team has ${maxTeamRecordedFixes / 1e6} million imported positions, the most that are stored. Delete the positions of an imported session first.`,
  'invitations-too-many': `This team has ${storedBounds.invitations.max} open invitations. Withdraw one first.`,
  'join-code-unknown': 'This is not a code of this server.',
  'join-code-ended': 'This code has ended. Ask for a new one.',
  'join-code-used-up': 'This code is used up. Ask for a new one.',
  'join-codes-too-many': `This team shows ${storedBounds.joinCodes.max} codes. Stop one first.`,
  'timing-not-pushed':
    'This race has another source of official timing. Choose "Send us your feed" first.',
  'timing-token-missing': 'Enter the token of your account at the provider.',
  'timing-full': `This race has reached its limit of ${maxTimingLetters / 2 ** 20} MB of official timing. Choose the source again.`,
  'timings-too-many': `This team has ${maxTeamTimingLetters / 2 ** 20} MB of official timing. Remove the source of an older race first.`,
  'requests-too-many': `This team has ${storedBounds.joinRequests.max} people who wait to be let in. Ask a member to answer them first.`,
  'passkey-last':
    'Without an email address you sign in with this passkey only. Add an email address or another passkey first.',
  'owner-needs-account':
    'The owner of a team needs an email or a passkey. Ask them to add one first.',
  'storage-full':
    "The server's disk is full: nothing was stored. Free some room, or contact the administrator.",
  'too-late': 'This reached the server too late, so nothing was sent. Send it again.',
  'circuit-unknown': 'The circuit is not known yet. Drive one full lap first.',
  'car-unknown': 'The position of the car is not known at the moment. Try again.',
  'positions-expired':
    'Not all positions of this session are stored any longer, so its laps cannot be computed again.',
  'car-off-circuit': 'The car is not on the circuit. Try again while it is.',
  'place-off-circuit': 'This place is not on the circuit. Choose one on its outline.',
  'circuit-changed': 'This was changed again since, so it can no longer be undone.',
  'circuit-in-use': 'A session is active on this circuit. End it first.',
  'circuit-shipped': 'This circuit comes with the app. It can be renamed, but not deleted.',
  'circuit-not-imported': 'Only the direction of an imported circuit can be reversed.',
  'circuits-too-many': `This team has ${storedBounds.importedCircuits.max} imported circuits. Delete one first.`,
  'circuit-unreadable': 'This is neither a GeoJSON nor a GPX file.',
  'circuit-slow':
    'Reading this file takes the server too long. Try again later, or use a file with fewer points.',
  'circuit-without-line': 'The file contains no line of at least three points.',
  'circuit-open': 'The outline is not closed: its ends are too far apart.',
  'circuit-length': `The outline must be ${shortestCircuitM} m to ${longestCircuitM / 1000} km long.`,
  'circuit-too-far': 'Line, Pit in or Pit out is too far from the outline.',
  'word-too-long': `Use at most ${maxWordLetters} characters.`,
  'word-letters':
    "Letters A to Z, also with accents, digits, spaces and ! # % & ' ( ) * + , - . / : = are allowed.",
  'word-reserved': 'This word has a meaning of its own. Use another one.',
  'word-taken': 'The team has this word already.',
  'word-unknown': 'The team no longer has this word, or it was changed. Nothing was sent.',
  'words-too-many': `This team has ${maxOwnWords} words. Remove one first.`,
  'car-number': 'Use digits and the letters A to Z.',
  'car-number-taken': 'Another car has this number.',
  'car-archived': 'This car is archived.',
  'driver-archived': 'This driver is archived.',
  'driver-not-member': 'This person is not in the team.',
  'cars-too-many': `This team has ${storedBounds.cars.max} cars. Remove one first.`,
  'drivers-too-many': `This team has ${storedBounds.drivers.max} drivers. Remove one first.`,
  'roster-entries-too-many': `This team has ${storedBounds.rosterEntries.max} of them, the archived ones included. No more can be added: rename one that is archived, or create a new team.`,
  'members-too-many': `This team has ${storedBounds.members.max} members. Ask its owner to remove one first.`,
  'teams-too-many': `You are in ${storedBounds.teams.max} teams. Leave one first.`,
  'sessions-too-many': `This team has ${storedBounds.sessions.max.toLocaleString('en')} sessions. No more can be added: create a new team.`,
  'practice-running': `This team has ${storedBounds.practiceCars.max} practice car already. It ends by itself within three minutes.`,
  'practice-car': 'A practice car has no laps, race, entries or exports.',
  'marks-too-many': `This session has ${storedBounds.lapMarks.max} marked laps. Remove a mark first.`,
  'race-running': 'Another race of the team is running. End it first.',
  'race-length-missing': 'Enter how long the race is first.',
  'race-started': 'The race has started. It can be ended, but not deleted.',
  'race-changed':
    'Somebody else has changed this since. Nothing was saved: look at it, and enter yours again.',
  'prepared-races-too-many': `This team has prepared ${storedBounds.preparedRaces.max} races. Delete one first.`,
  'race-over': 'The race is over. Its start can be corrected, but not removed.',
  'pauses-too-many': `This race has ${storedBounds.pauses.max} pauses. No more can be added.`,
  'races-too-many': `This team has ${storedBounds.races.max.toLocaleString('en')} races. No more can be added.`,
  'rule-packs-too-many': `This team has ${storedBounds.rulePacks.max} rule packs. Remove one first.`,
  'rule-pack-unreadable': 'This file is not a rule pack.',
  'rule-pack-wrong': 'This rule pack contains a rule that is not known, or a number out of range.',
  'stint-time':
    'A stint must start within the race of its car, after the one before it and before the next.',
  'entry-changed':
    'Somebody else has changed this entry since. Nothing was saved: close it, and open it again to correct it.',
  'stint-first': 'The first stint starts when the car does.',
  'fill-time': 'A fill must be within the race of its car.',
  'fills-too-many': `This car has ${storedBounds.fills.max} fills. No more can be added.`,
  'stints-too-many': `This car has ${storedBounds.stints.max} stints. No more can be added.`,
  'run-corrected':
    'Somebody else has corrected the phones in the car since. Nothing was saved: compare, then correct again.',
  'run-times': 'A time must begin before it ends.',
  'runs-overlap': 'These times overlap: one phone at a time is in a car.',
  'run-outside-race':
    'A time must begin after the first session of the car started, and before the race ended.',
  'run-outside-session': 'A phone can only be in the car while its session is active.',
  'run-without-race': 'This session drives no race with a car, so its phone is the only one.',
  'run-corrections-too-many': `This car has ${storedBounds.runCorrections.max} corrections in this race. No more can be added.`,
  'push-service': 'The push service of this browser cannot be used.',
  'invite-not-mailed': 'They are invited, but the email could not be sent. Try again.',
}

export function isDetail(text: unknown): text is RefusalDetail {
  return typeof text === 'string' && Object.hasOwn(detailSentences, text)
}
