import { existsSync } from 'node:fs'
import { Refusal } from '#contract/refusal.ts'
import { circuits } from '#contract/shared/circuits/shippedCircuits.ts'
import type { Me } from '#contract/users.ts'
import { type Drive, driveAround, lapFromFile } from '#testing/drives.ts'
import { call } from './api.ts'
import { ArgumentRefused, type Arguments, readArguments, usage } from './arguments.ts'
import { type CarEnd, startCar } from './car.ts'
import { signIn } from './signIn.ts'

process.exitCode = await main(process.argv.slice(2))

async function main(words: string[]): Promise<number> {
  if (words.includes('--help')) {
    console.log(usage)
    return 0
  }
  try {
    return await drive(words)
  } catch (error) {
    if (error instanceof ArgumentRefused) console.error(`${error.message}\n\n${usage}`)
    else if (error instanceof Refusal) console.error(error.message)
    else if (error instanceof Error) console.error(error.message)
    else throw error
    return error instanceof ArgumentRefused ? 2 : 1
  }
}

async function drive(words: string[]): Promise<number> {
  const { url, sessionId, lap, speed, hz, login } = readArguments(words, process.env)
  const way = driveOf(lap)
  const { token, user } = await loginOf(url, login)
  const car = startCar({
    url,
    token,
    userId: user.id,
    sessionId,
    drive: way,
    speed,
    hz,
    onMessage: message => console.log(`Message ${message.version}: ${message.type ?? 'cleared'}`),
    onProblem: sentence => console.error(sentence),
  })
  console.log(`Driving ${lap} at ${url}. Ctrl-C stops the car.`)
  const stop = () => void car.stop()
  process.once('SIGINT', stop)
  process.once('SIGTERM', stop)
  const end = await car.ended
  await car.stop()
  console.log(sentenceOf(end))
  return end.why === 'stopped' || end.why === 'session-ended' ? 0 : 1
}

async function loginOf(
  url: string,
  login: Arguments['login'],
): Promise<{ token: string; user: Me }> {
  if ('email' in login)
    return signIn({ url, email: login.email, device: 'sim', devToken: process.env.DEV_TOKEN })
  const { token } = login
  return { token, user: await call({ url, token }, 'users.me', {}) }
}

/** A circuit by its id or the beginning of it, otherwise a file. */
function driveOf(lap: string): Drive {
  const circuit = circuits.find(({ id }) => id === lap || id.split('-')[0] === lap)
  if (circuit) return driveAround(circuit)
  if (existsSync(lap)) return lapFromFile(lap)
  const ids = circuits.map(({ id }) => id).join(', ')
  throw new ArgumentRefused(`--lap ${lap} is neither a circuit (${ids}) nor a file.`)
}

function sentenceOf(end: CarEnd): string {
  switch (end.why) {
    case 'stopped':
      return 'Stopped.'
    case 'session-ended':
      return 'The session has ended.'
    case 'signed-out':
      return 'The server does not accept this login. Sign in again.'
    case 'outdated':
      return 'The server uses another protocol version. Update the simulator.'
    case 'refused':
      return `The server refused the car: ${end.sentence}`
  }
}
