import { randomUUID } from 'node:crypto'
import type { Kysely, Transaction } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Message } from '#contract/sessions/messages.ts'
import { type LiveScene, liveScene } from '#testing/live/liveScene.ts'
import { addMember } from '#testing/people/addMember.ts'
import { systemClock } from '../clock.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { MessageLimits } from './messageLimits.ts'
import { setMessage } from './messages.ts'

let scene: LiveScene
beforeAll(async () => {
  scene = await liveScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

test('a member removed between the check and the insert cannot send', async () => {
  const { team, session } = await scene.newSession()
  const noor = await scene.app.person('Noor')
  await addMember(scene.ana, team.id, noor)
  const removal = () => scene.ana.call.teams.removeMember({ teamId: team.id, userId: noor.id })

  await expect(sendAfter(removal, noor.id, session.id)).rejects.toMatchObject({
    code: 'not-a-member',
  })
  const { message } = await scene.ana.call.sessions.get({ sessionId: session.id })
  expect(message).toMatchObject({ type: null, version: 0 })
})

test('concurrent sending and leaving always end in one order', async () => {
  for (let round = 0; round < 10; round++) {
    const { team, session } = await scene.newSession()
    const leoSends = () =>
      scene.leo.call.messages
        .set({ sessionId: session.id, type: 'Pit', commandId: randomUUID() })
        .then(
          () => 'sent',
          ({ code }: { code: string }) => code,
        )
    const [, sent] = await Promise.all([
      scene.leo.call.teams.leave({ teamId: team.id }),
      leoSends(),
    ])
    expect(['sent', 'not-a-member', 'session-ended']).toContain(sent)
    expect(await leoSends()).toBe('not-a-member')
  }
})

type Work = (trx: Transaction<Tables>) => Promise<unknown>

/** Sends like the server, with `happens` run just before the transaction begins. */
function sendAfter(
  happens: () => Promise<unknown>,
  userId: string,
  sessionId: string,
): Promise<Message> {
  const { commandDb } = scene.app.database
  const delayed = {
    selectFrom: commandDb.selectFrom.bind(commandDb),
    transaction: () => ({
      execute: async (work: Work) => {
        await happens()
        return commandDb.transaction().execute(work)
      },
    }),
  } as unknown as Kysely<Tables>
  const context: Pick<AppContext, 'clock' | 'commandDb' | 'live' | 'recorder'> = {
    clock: systemClock,
    commandDb: delayed,
    live: { publish() {} } as never,
    recorder: { latest: () => undefined } as never,
  }
  const limits = new MessageLimits(systemClock)
  const send = { sessionId, type: 'Pit', commandId: randomUUID() } as const
  return setMessage({ ...context, limits }, userId, send)
}
