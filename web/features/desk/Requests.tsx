import { useMutation } from '@tanstack/react-query'
import { Mic, MicOff } from 'lucide-react'
import { deskText } from '#web/text/desk.ts'
import { Button } from '#web/ui/Button.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import typography from '#web/ui/typography.module.css'
import { recordingFile } from './pageEvents.ts'
import styles from './Request.module.css'
import { Request } from './Request.tsx'
import { saveFile } from './saveFile.ts'
import type { VisitLine, VisitState } from './visitLine.ts'

interface Props {
  line: VisitLine
  state: VisitState
  /** The page is there to be asked. */
  reachable: boolean
  /** What a recording is saved as, without its time and ending. */
  fileName: string
}

/** What a person can be asked for: control, a recording, a call. */
export function Requests({ line, state, reachable, fileName }: Props) {
  return (
    <div className={styles.requests}>
      <Request
        label={deskText.control}
        status={deskText.stages[state.control]}
        stage={state.control}
        reachable={reachable}
        ask={[deskText.askControl, () => line.askControl()]}
        takeBack={[deskText.takeBack, () => line.endControl()]}
        end={[deskText.endControl, () => line.endControl()]}
      />
      <Request
        label={deskText.recording}
        status={deskText.stages[state.recording]}
        stage={state.recording}
        reachable={reachable}
        ask={[deskText.askRecording, () => line.askRecording()]}
        end={[deskText.stopRecording, () => line.stopRecording()]}
      >
        {state.recorded && state.recording !== 'granted' && (
          <SaveRecording line={line} fileName={fileName} />
        )}
        {(state.recorded || state.recording === 'granted') && (
          <p className={typography.sub}>{state.full ? deskText.full : deskText.saveHint}</p>
        )}
      </Request>
      <Request
        label={deskText.call}
        status={callStatus(state)}
        stage={state.call}
        reachable={reachable}
        ask={[deskText.callPerson, () => void line.startCall()]}
        takeBack={[deskText.hangUp, () => line.hangUp()]}
        end={[deskText.hangUp, () => line.hangUp()]}
      >
        {state.call === 'granted' && (
          <Button
            look="quiet"
            narrow
            aria-pressed={state.muted}
            onClick={() => line.mute(!state.muted)}
          >
            {state.muted ? <MicOff aria-hidden /> : <Mic aria-hidden />}
            {deskText.mute}
          </Button>
        )}
        {state.callTrouble && (
          <p role="alert" className={styles.trouble}>
            {deskText.callTroubles[state.callTrouble]}
          </p>
        )}
      </Request>
    </div>
  )
}

function callStatus({ call }: VisitState): string {
  return call === 'none' || call === 'asked' || call === 'granted'
    ? deskText.callStages[call]
    : deskText.stages[call]
}

function SaveRecording({ line, fileName }: Pick<Props, 'line' | 'fileName'>) {
  const toasts = useToasts()
  const save = useMutation({
    mutationFn: () => recordingFile(line.page.recorded),
    onSuccess: file => saveFile(file, `${fileName}-${new Date().toISOString().slice(0, 19)}.json`),
    onError: () => toasts.error(deskText.saveFailed),
  })
  return (
    <Button look="quiet" busy={save.isPending} onClick={() => save.mutate()}>
      {deskText.saveRecording}
    </Button>
  )
}
