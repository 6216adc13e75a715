import { useMutation } from '@tanstack/react-query'
import { command } from '#web/api/call.ts'
import { CallRefused } from '#web/api/callRefused.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { lapBoardText } from '#web/text/lapBoard.ts'

const { line } = lapBoardText

/** The sentence below the button, and the action it offers. */
export interface LineNote {
  readonly text: string
  readonly failed?: boolean
  readonly action?: { readonly label: string; readonly act: () => void }
}

/** Moves the line to where the car is at a tap, and undoes it. */
export function useLineHere({ teamId, sessionId }: { teamId: string; sessionId: string }) {
  const now = useServerClock()
  const set = useMutation({
    mutationFn: (at: number) => command('circuits.setGate', { sessionId, gate: 'line', at }),
    onMutate: () => undo.reset(),
  })
  const undo = useMutation({
    mutationFn: ({ id, version }: { id: string; version: number }) =>
      command('circuits.undo', { teamId, circuitId: id, version }),
  })
  return {
    isBusy: set.isPending || undo.isPending,
    tap: () => set.mutate(Math.round(now())),
    note: noteOf(),
  }

  function noteOf(): LineNote | null {
    if (undo.isSuccess) return { text: line.undone }
    if (undo.error) return { text: `${line.notUndone} ${refusalText(undo.error)}`, failed: true }
    if (set.error) {
      const text = `${line.notSet} ${refusalText(set.error)}`
      // The tap counts at its own time, however late it arrives.
      const again = isUnreachable(set.error) ? set.variables : undefined
      if (again === undefined) return { text, failed: true }
      const act = () => set.mutate(again)
      return { text, failed: true, action: { label: line.sendAgain, act } }
    }
    if (!set.data) return null
    const { circuit, movedM } = set.data
    return {
      text: movedM === null ? line.set : line.moved(String(movedM)),
      action: { label: line.undo, act: () => undo.mutate(circuit) },
    }
  }
}

function isUnreachable(reason: unknown): boolean {
  return reason instanceof CallRefused && reason.code === 'unreachable'
}
