import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { testApp } from '#testing/app.ts'
import { createTeam } from '#testing/people/createTeam.ts'

test('the log names each command that stored a message, and its repetition (M3)', async () => {
  const lines: Record<string, unknown>[] = []
  const write = (line: string) => lines.push(JSON.parse(line))
  await using app = await testApp({ logLevel: 'info' }, { write })
  const ana = await app.person('Ana')
  const team = await createTeam(ana, [], 'Night Owls')
  const { id: sessionId } = await ana.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
  const [first, second] = [randomUUID(), randomUUID()]
  for (const commandId of [first, second, first])
    await ana.call.messages.set({ sessionId, type: 'Pit', commandId })

  const reqId = expect.any(String)
  const logged = { sessionId, userId: ana.id, reqId }
  const ofMessages = lines.filter(line => 'commandId' in line)
  expect(ofMessages).toMatchObject([
    { ...logged, version: 1, commandId: first, msg: 'message stored' },
    { ...logged, version: 2, commandId: second, msg: 'message stored' },
    { ...logged, version: 2, commandId: first, msg: expect.stringMatching(/^command repeated/) },
  ])
  const answered = () => lines.filter(({ route }) => route === '/api/messages.set')
  await expect
    .poll(() => answered().map(line => line.reqId))
    .toEqual(ofMessages.map(line => line.reqId))
})
