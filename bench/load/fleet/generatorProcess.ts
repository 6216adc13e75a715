// The load generator: a separate process, so that its CPU time is not counted as the server's.
import { setTimeout as pause } from 'node:timers/promises'
import { percentile } from '../../statistics.ts'
import type { Answer, Measured, Order } from '../orders.ts'
import { cpuModes, cpuSeconds } from '../processes.ts'
import { Crowd } from './crowd.ts'

const crowd = new Crowd()

process.on('message', (message: Order & { order: number }) => {
  carryOut(message)
    .then(measured => answer({ order: message.order, ...(measured && { measured }) }))
    .catch((error: unknown) => answer({ order: message.order, error: String(error) }))
})
process.once('disconnect', () => crowd.end())
process.send?.('ready')

async function carryOut(order: Order): Promise<Measured | undefined> {
  if (order.do === 'drive') return measure(order)
  if (order.do === 'catchUp') await crowd.catchUp(order.historyS)
  else await crowd.connect(order.port, order.wire, order.connections)
  return undefined
}

async function measure({ pace, warmUpS, seconds, pids }: Order & { do: 'drive' }) {
  const cpuOfServers = () => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0)
  const modes = () => {
    const each = pids.map(cpuModes)
    return {
      userS: each.reduce((sum, { userS }) => sum + userS, 0),
      systemS: each.reduce((sum, { systemS }) => sum + systemS, 0),
    }
  }
  const stop = crowd.drive(pace)
  await pause(warmUpS * 1000)
  crowd.count()
  const startedAt = performance.now()
  const serverBefore = cpuOfServers()
  const modesBefore = modes()
  const ownBefore = cpuSeconds(process.pid)
  await pause(seconds * 1000)
  const { latenciesMs, ...counted } = crowd.count()
  const measured: Measured = {
    ...counted,
    seconds: (performance.now() - startedAt) / 1000,
    serverCpuS: cpuOfServers() - serverBefore,
    serverUserS: modes().userS - modesBefore.userS,
    serverSystemS: modes().systemS - modesBefore.systemS,
    generatorCpuS: cpuSeconds(process.pid) - ownBefore,
    p50Ms: percentile(latenciesMs, 50),
    p99Ms: percentile(latenciesMs, 99),
  }
  stop()
  await crowd.drained()
  return measured
}

function answer(message: Answer) {
  process.send?.(message)
}
