// The process of a load generator: many connections to one server.
import { setTimeout as pause } from 'node:timers/promises'
import { WebSocket } from 'ws'
import { heartbeatIntervalMs, protocol } from '#contract/shared/liveRules.ts'
import { percentile } from '../statistics.ts'
import { fixAt } from './drive.ts'
import type { Answer, LoadConnection, Measured, Order } from './generator.ts'
import { cpuSeconds } from './processes.ts'

interface Car {
  socket: WebSocket
  drivesFrom: number
}

const connectAtOnce = 20
const heartbeatSlices = 40
const sliceMs = heartbeatIntervalMs / heartbeatSlices
const tickMs = 5
/** Rate of past fixes, of all cars together: the server also stores and times them. */
const pastFixesPerS = 15_000
/** Below the limit of a connection, 50 frames a second (LIVE.md, L6). */
const pastFixesPerCarAndS = 40
/** Place of the type's first letter in a frame: `{"t":"fix"`. No other type begins with it. */
const typeAt = '{"t":"'.length
const f = 'f'.charCodeAt(0)
const heartbeat = { t: 'heartbeat', at: 1 }

const sockets: WebSocket[] = []
const cars: Car[] = []
const events = { lapEvents: 0, pitEvents: 0, lost: 0 }
let fixes = 0
let deliveries = 0
let latenciesMs: number[] = []

process.on('message', (order: Order) => {
  carryOut(order)
    .then(measured => answer({ measured }))
    .catch((error: unknown) => answer({ error: String(error) }))
})
process.once('disconnect', () => process.exit())
sendHeartbeats()
process.send?.('ready')

function answer(message: Answer) {
  process.send?.(message)
}

async function carryOut(order: Order): Promise<Measured | null> {
  if (order.do === 'drive') return measure(order)
  if (order.do === 'catchUp') await catchUp(order.historyS)
  else await connectAll(order.port, order.connections)
  return null
}

async function connectAll(port: number, connections: LoadConnection[]) {
  const waiting = connections.values()
  const workers = Array.from({ length: connectAtOnce }, async () => {
    for (const each of waiting) await connect(port, each)
  })
  await Promise.all(workers)
}

/** Opens a connection. Resolves when it is subscribed to its room. */
function connect(port: number, { token, session, drivesFrom, sampled }: LoadConnection) {
  return new Promise<void>((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}/live`, {
      headers: { authorization: `Bearer ${token}` },
      perMessageDeflate: false,
    })
    const isDriver = drivesFrom !== null
    sockets.push(socket)
    socket.once('open', () => {
      send(socket, { t: 'hello', protocol })
      send(
        socket,
        isDriver ? { t: 'drive', session } : { t: 'subscribe', room: `session:${session}` },
      )
    })
    socket.on('message', (data: Buffer) => {
      if (data[typeAt] === f) {
        if (isDriver) return
        deliveries += 1
        if (sampled) latenciesMs.push(Date.now() - JSON.parse(data.toString()).at)
        return
      }
      const { t } = JSON.parse(data.toString())
      if (t === 'refused') reject(new Error(data.toString()))
      if (t === 'snapshot') resolve()
      if (isDriver && t === 'laps-changed') events.lapEvents += 1
      if (isDriver && t === 'race-changed') events.pitEvents += 1
    })
    socket.once('error', reject)
    socket.once('close', code => {
      events.lost += 1
      reject(new Error(`Connection closed with ${code}`))
    })
    if (isDriver) cars.push({ socket, drivesFrom })
  })
}

function send(socket: WebSocket, frame: object) {
  if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify(frame))
}

/** Sends heartbeats for a slice of the connections at a time, which spreads them like the heartbeats of many phones. */
function sendHeartbeats() {
  let slices = Math.floor(performance.now() / sliceMs)
  setInterval(() => {
    const due = Math.floor(performance.now() / sliceMs)
    // After a pause of the process each connection sends one.
    for (slices = Math.max(slices, due - heartbeatSlices); slices < due; slices++)
      for (const [n, socket] of sockets.entries())
        if (n % heartbeatSlices === slices % heartbeatSlices) send(socket, heartbeat)
  }, sliceMs)
}

async function catchUp(historyS: number) {
  const fixesPerS = Math.min(pastFixesPerS, cars.length * pastFixesPerCarAndS)
  const startedAt = performance.now()
  let sent = 0
  // The past grows while it is sent.
  for (let at = Date.now() - historyS * 1000; at < Date.now() - 1000; at += 1000)
    for (const { socket, drivesFrom } of cars) {
      while (sent >= ((performance.now() - startedAt) / 1000) * fixesPerS) await pause(tickMs)
      send(socket, fixAt(at, drivesFrom))
      sent += 1
    }
}

/** Sends fixes until the result is called. */
function drive(hz: number): () => void {
  const startedAt = performance.now()
  let sent = 0
  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) / 1000) * hz * cars.length
    for (; sent < due; sent++) {
      const car = cars[sent % cars.length]
      if (car) send(car.socket, fixAt(Date.now(), car.drivesFrom))
      fixes += 1
    }
  }, tickMs)
  return () => clearInterval(timer)
}

async function measure({ hz, warmUpS, seconds, pid }: Order & { do: 'drive' }) {
  const stop = drive(hz)
  await pause(warmUpS * 1000)
  fixes = 0
  deliveries = 0
  latenciesMs = []
  const startedAt = performance.now()
  const [serverBefore, ownBefore] = [cpuSeconds(pid), cpuSeconds(process.pid)]
  await pause(seconds * 1000)
  const measured: Measured = {
    ...events,
    fixes,
    deliveries,
    seconds: (performance.now() - startedAt) / 1000,
    serverCpuS: cpuSeconds(pid) - serverBefore,
    generatorCpuS: cpuSeconds(process.pid) - ownBefore,
    p50Ms: percentile(latenciesMs, 50),
    p99Ms: percentile(latenciesMs, 99),
  }
  stop()
  return measured
}
