import type { Driver } from '#client/driver/driver.ts'
import type { DriverAnswers } from '#client/driver/driverAnswers.ts'
import type { AnswerKind } from '#contract/answers.ts'
import type { AppPage } from './appPage.ts'
import type { Device } from './device.ts'
import type { TruthRecord } from './record.ts'

interface AnsweringScreen {
  readonly name: string
  readonly settings: { readonly device: Device; readonly record: TruthRecord }
  readonly app: AppPage
  readonly driver: Driver
  readonly answers: DriverAnswers
  readonly paintedVersion: number
}

/** Answers the question that a drive screen has painted, or reports something without one, and records it. */
export function giveAnswer(screen: AnsweringScreen, kind: AnswerKind) {
  const { message } = screen.driver.message.state
  const isQuestion = message?.ask === true && screen.paintedVersion === message.version
  if ((kind === 'Yes' || kind === 'No') && !isQuestion) return
  const { record, device } = screen.settings
  const { clock } = screen.app.channel
  const version = message?.version ?? 0
  record.answers.push({
    id: screen.answers.give(kind, version),
    kind,
    version,
    device: device.name,
    screen: screen.name,
    atMs: record.time.now,
    clockErrorMs: clock.errorMs ?? Number.POSITIVE_INFINITY,
    isClockSynchronized: clock.isSynchronized,
    isStored: !device.storageFails,
  })
  record.count('answers')
}
