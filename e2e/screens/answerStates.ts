import type { Page } from '@playwright/test'
import type { AnswerKind } from '#contract/answers.ts'
import type { MessageType } from '#contract/messages.ts'
import type { Session } from '#contract/sessions.ts'
import { goOffline } from '../goOffline.ts'
import { drive } from './driveStates.ts'
import { keepShown } from './keepShown.ts'
import { openMap, press, watch } from './messageStates.ts'
import type { Stage } from './stage.ts'
import { driving, type State, shared, watching } from './state.ts'

const questions = ['Easy', 'Go', 'Push', 'Pit', 'Fuel'] as const

/** The screens of the driver and the team with a question, and with what the driver answered. */
export const answerStates: readonly State[] = [
  watching('message-asking', async (page, stage) => {
    await watch(page, stage, 'shows')
    await press(page, 'PUSH', 'Shown after')
    await page.getByRole('button', { name: 'Ask ?' }).click()
    await page.getByRole('button', { name: 'PIT?' }).waitFor()
  }),
  watching('message-asked', shared, async (page, stage) => void (await asked(page, stage))),
  ...(['Yes', 'No'] as const).map(kind =>
    watching(`message-${kind.toLowerCase()}`, shared, async (page, stage) => {
      await answer(stage, await asked(page, stage), kind)
      await page.getByText(/^After \d/).waitFor()
    }),
  ),
  watching('message-aged', { from: 'message-no', shows: 'On the glass: laps' }, async () => {}),
  watching('message-problem', { ...shared, shows: 'PROBLEM' }, async (page, stage) => {
    const session = await watch(page, stage, 'shows')
    await press(page, 'FUEL', 'Shown after')
    await answer(stage, session, 'Problem')
  }),
  watching('map-problem', { from: 'message-problem' }, openMap),
  watching('map-problem-got', { from: 'map-problem' }, async page => {
    await page.getByRole('button', { name: /^Got it/ }).click()
    await page
      .getByText(/Marta has it/)
      .first()
      .waitFor()
  }),
  watching('message-other-problem', async (page, stage) => {
    const session = await stage.startSession('Zolder 6 hours')
    await answer(stage, session, 'Problem')
    await answer(stage, session, 'PitThisLap')
    const active = await stage.people.marta.call.sessions.listActive({ teamId: stage.team.id })
    const other = active.find(({ id }) => id !== session.id)
    await page.goto(`/teams/${stage.team.id}/${other?.id}/message`)
    await page
      .getByRole('main')
      .getByRole('link', { name: /PROBLEM/ })
      .waitFor()
  }),
  watching('message-problem-got', shared, async (page, stage) => {
    const session = await watch(page, stage, 'shows')
    await press(page, 'FUEL', 'Shown after')
    await answer(stage, session, 'Problem')
    await page.getByRole('button', { name: /^Got it/ }).click()
    await page
      .getByText(/Marta has it/)
      .first()
      .waitFor()
  }),
  watching('message-taken-back', { ...shared, shows: 'TAKEN BACK' }, async (page, stage) => {
    const session = await watch(page, stage, 'shows')
    await press(page, 'FUEL', 'Shown after')
    await answer(stage, session, 'Problem')
    await answer(stage, session, 'TakenBack')
  }),
  ...questions.map((type, index) => {
    const previous = questions[index - 1]
    if (!previous) return driving(nameOf(type), (page, stage) => ask(page, stage, type))
    const from = nameOf(previous)
    return driving(nameOf(type), { from }, (page, stage) => sendQuestion(page, stage, type))
  }),
  driving('drive-ask-hold', { shows: 'Keep holding: PROBLEM' }, async (page, stage) => {
    await keepShown(page, 1500)
    await ask(page, stage, 'Pit')
    await page.getByRole('button', { name: 'Hold for PROBLEM' }).hover()
    await page.mouse.down()
  }),
  driving('drive-ask-sending', { shows: 'Sending' }, async (page, stage) => {
    await ask(page, stage, 'Pit')
    await goOffline(page)
    await page.getByText('Offline').first().waitFor()
    await page.getByRole('button', { name: 'Yes, to Pit?' }).click()
  }),
  driving('drive-ask-sent', { shows: 'Sent' }, async (page, stage) => {
    await keepShown(page, 3000)
    await ask(page, stage, 'Pit')
    await page.getByRole('button', { name: 'No, to Pit?' }).click()
  }),
  driving('drive-problem', async (page, stage) => {
    await drive(page, stage)
    await reportProblem(page)
    await page.getByRole('button', { name: 'PIT THIS LAP' }).waitFor()
  }),
  driving('drive-problem-got', { from: 'drive-problem', shows: /^Marta, after/ }, (_page, stage) =>
    getProblem(stage),
  ),
  driving('drive-problem-got-plate', { from: 'drive-problem-got' }, async page => {
    await page.getByText('Got it by Marta').last().waitFor()
    await page.getByText('Tap to take it back').waitFor()
    await page.locator('[data-plate]').waitFor()
  }),
  driving('drive-problem-pit', { from: 'drive-problem-got-plate' }, async page => {
    await page.getByRole('button', { name: 'PIT THIS LAP' }).click()
    await page.locator('strong', { hasText: 'PIT THIS LAP' }).waitFor()
  }),
  driving('drive-problem-no-gps', { from: 'drive-no-gps-denied' }, async (page, stage) => {
    await reportProblem(page)
    await getProblem(stage)
    await page.locator('[data-plate]').waitFor()
    await page.locator('[data-no-gps]').waitFor()
  }),
  driving('drive-problem-plate', async (page, stage) => {
    await drive(page, stage)
    await reportProblem(page)
    await stage.send('Push')
    await page.getByText('Tap to take it back').waitFor()
    await page.getByRole('alert').getByText('Push').waitFor()
  }),
]

/** The name of the state of the drive screen with this question. */
function nameOf(type: MessageType): string {
  return `drive-ask-${type.toLowerCase()}`
}

async function asked(page: Page, stage: Stage) {
  const session = await watch(page, stage, 'shows')
  await page.getByRole('button', { name: 'Ask ?' }).click()
  await press(page, 'PIT?', 'Shown, no answer')
  return session
}

/** Answers the first message of a session by the phone in the car. */
export async function answer(stage: Stage, { id: session }: Session, kind: AnswerKind) {
  const phone = await stage.people.theo.connect()
  await phone.drive(session)
  phone.send({ t: 'answer', id: crypto.randomUUID(), kind, version: 1, at: Date.now() })
  await phone.next('answer')
  phone.close()
}

async function ask(page: Page, stage: Stage, type: MessageType) {
  await drive(page, stage)
  await sendQuestion(page, stage, type)
}

export async function sendQuestion(page: Page, stage: Stage, type: MessageType) {
  await stage.send(type, { ask: true })
  await page.getByText(`${type}?`, { exact: true }).waitFor()
}

/** Presses "Got it" for the problem of the session. */
export async function getProblem({ session: { id: sessionId }, people }: Stage) {
  const { messages, sessions } = people.marta.call
  const { problem: reported } = await sessions.get({ sessionId })
  await messages.gotIt({ sessionId, answerId: reported?.id ?? '' })
}

/** Holds the key that reports a problem on the drive screen. */
export async function reportProblem(page: Page) {
  await page.keyboard.down('p')
  await page.getByText('Sent, no answer yet').first().waitFor()
  await page.keyboard.up('p')
}
