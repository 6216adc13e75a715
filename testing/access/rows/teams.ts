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
} from '../answers.ts'
import { newPerson, ofTeam, type Scene } from '../sceneInputs.ts'

const ofInvitation = ({ invitationId }: Scene) => ({ invitationId })

/** Calls about teams, their televisions, own words, notifications and files. */
export const teamRows: Rows = {
  'teams.list': { answers: forAnyLogin },
  'teams.get': { input: ofTeam, answers: forReaders },
  'teams.create': { input: () => ({ name: 'One more' }), answers: forSignedIn },
  'teams.members': { input: ofTeam, answers: forReaders },
  'teams.invite': { input: s => ({ ...ofTeam(s), ...newPerson() }), answers: forEditors },
  'teams.invited': { input: ofTeam, answers: forMembers },
  'teams.withdrawInvitation': {
    input: s => ({ ...ofTeam(s), invitationId: s.invitationId }),
    answers: forEditors,
  },
  'teams.invitations': { answers: forSignedIn },
  'teams.accept': { input: ofInvitation, answers: forInvited },
  'teams.decline': { input: ofInvitation, answers: forInvited },
  'teams.rename': { input: s => ({ ...ofTeam(s), name: 'Renamed' }), answers: forOwner },
  'teams.setRole': {
    input: s => ({ ...ofTeam(s), userId: s.memberId, role: 'viewer' }),
    answers: forOwner,
  },
  'teams.removeMember': { input: s => ({ ...ofTeam(s), userId: s.memberId }), answers: forOwner },
  'teams.leave': { input: ofTeam, answers: forMembers },
  'teams.changes': { input: ofTeam, answers: forMembers },
  'teams.delete': { input: ofTeam, answers: { ...forOwner, owner: 'team-driving' } },
  'teams.listDeleted': { answers: forSignedIn },
  'teams.restore': { input: ofTeam, answers: signedInGet('not-found') },
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
