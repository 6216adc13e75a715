import { randomUUID } from 'node:crypto'
import {
  editorsGet,
  everybodyGets,
  forAnyLogin,
  forEditors,
  forEverybody,
  forInvited,
  forMembers,
  forOwner,
  forReaders,
  forSignedIn,
  type Rows,
  signedInGet,
  withAccount,
} from '../answers.ts'
import { newPerson, ofTeam, type Scene } from '../sceneInputs.ts'

const ofInvitation = ({ invitationId }: Scene) => ({ invitationId })

/** Calls about teams, their televisions, own words, notifications and files. */
export const teamRows: Rows = {
  'teams.list': { answers: forAnyLogin },
  'teams.get': { input: ofTeam, answers: forReaders },
  'teams.create': { input: () => ({ name: 'One more' }), answers: withAccount(forSignedIn) },
  'teams.members': { input: ofTeam, answers: forReaders },
  'teams.invite': {
    input: s => ({ ...ofTeam(s), ...newPerson() }),
    answers: withAccount(forEditors),
  },
  'teams.invited': { input: ofTeam, answers: forMembers },
  'teams.withdrawInvitation': {
    input: s => ({ ...ofTeam(s), invitationId: s.invitationId }),
    answers: withAccount(forEditors),
  },
  'teams.invitations': { answers: forSignedIn },
  'teams.accept': { input: ofInvitation, answers: forInvited },
  'teams.decline': { input: ofInvitation, answers: forInvited },
  'teams.rename': {
    input: s => ({ ...ofTeam(s), name: 'Renamed' }),
    answers: withAccount(forOwner),
  },
  'teams.setRole': {
    input: s => ({ ...ofTeam(s), userId: s.memberId, role: 'viewer' }),
    answers: withAccount(forOwner),
  },
  'teams.removeMember': {
    input: s => ({ ...ofTeam(s), userId: s.memberId }),
    answers: withAccount(forOwner),
  },
  'teams.leave': { input: ofTeam, answers: forMembers },
  'teams.changes': { input: ofTeam, answers: forMembers },
  'teams.delete': { input: ofTeam, answers: withAccount({ ...forOwner, owner: 'team-driving' }) },
  'teams.listDeleted': { answers: forSignedIn },
  'teams.restore': { input: ofTeam, answers: withAccount(signedInGet('not-found')) },
  'joinCodes.show': {
    input: s => ({
      ...ofTeam(s),
      role: 'member',
      asks: true,
      maxUses: 20,
      expiresAt: Date.now() + 3_600_000,
    }),
    answers: withAccount(forEditors),
  },
  'joinCodes.list': { input: ofTeam, answers: withAccount(forEditors) },
  'joinCodes.stop': {
    input: s => ({ ...ofTeam(s), codeId: s.joinCodeId }),
    answers: withAccount(forEditors),
  },
  'joinCodes.find': { input: () => ({ code: '12' }), answers: everybodyGets('not-found') },
  'joinCodes.join': {
    input: () => ({ code: '12', firstName: 'Mia', lastName: 'Larsen' }),
    answers: everybodyGets('not-found'),
  },
  'joinCodes.state': { input: ofTeam, answers: forEverybody },
  'joinCodes.withdraw': {
    input: ofTeam,
    // The invited person also waits.
    answers: { ...signedInGet('not-found'), invited: 'ok' },
  },
  'joinCodes.waiting': { input: ofTeam, answers: forEditors },
  'joinCodes.letIn': {
    input: s => ({ ...ofTeam(s), userId: s.waitingId }),
    answers: forEditors,
  },
  'joinCodes.turnAway': {
    input: s => ({ ...ofTeam(s), userId: s.waitingId }),
    answers: forEditors,
  },
  'televisions.requestCode': { answers: forEverybody },
  'televisions.collect': {
    input: () => ({ secret: 'A'.repeat(43) }),
    answers: everybodyGets('code-dead'),
  },
  'televisions.find': { input: () => ({ code: '12' }), answers: signedInGet('code-wrong') },
  'televisions.allow': {
    input: s => ({ ...ofTeam(s), code: '12', name: 'Garage' }),
    answers: editorsGet('code-wrong'),
  },
  'televisions.list': { input: ofTeam, answers: forMembers },
  'televisions.remove': {
    input: s => ({ ...ofTeam(s), televisionId: randomUUID() }),
    answers: editorsGet('not-found'),
  },
  'words.list': { input: ofTeam, answers: forReaders },
  'words.save': {
    input: s => ({ ...ofTeam(s), word: { id: randomUUID(), text: 'BOX 2', colour: 'pit' } }),
    answers: forEditors,
  },
  'words.remove': { input: s => ({ ...ofTeam(s), wordId: randomUUID() }), answers: forEditors },
  'notifications.settings': { answers: forSignedIn },
  'notifications.choose': { input: () => ({ kinds: ['problem'] }), answers: forSignedIn },
  'notifications.subscribe': {
    input: () => ({
      endpoint: 'https://push.example.com/abc',
      p256dh: 'B'.repeat(87),
      auth: 'A'.repeat(22),
    }),
    answers: forSignedIn,
  },
  'notifications.unsubscribe': { answers: forSignedIn },
  'notifications.test': { answers: forSignedIn },
  'notifications.list': { input: ofTeam, answers: forReaders },
  'files.list': { input: ofTeam, answers: forReaders },
  'files.delete': {
    input: s => ({ ...ofTeam(s), name: 'logo.png' }),
    answers: editorsGet('not-found'),
  },
}
