import { useMutation } from '@tanstack/react-query'
import { Mic, MicOff } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import { deskText } from '#support/web/text/desk.ts'
import { appText } from '#web/text/app.ts'
import { Button } from '#web/ui/Button.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useToasts } from '#web/ui/toasts.ts'
import { recordingFile } from './page/pageEvents.ts'
import styles from './Request.module.css'
import type { Stage } from './visit/consentRequest.ts'
import type { VisitConnection, VisitState } from './visit/visitConnection.ts'

interface Props {
  connection: VisitConnection
  state: VisitState
  /** The page is connected and can receive requests. */
  reachable: boolean
  /** File name of a saved recording, without time and extension. */
  fileName: string
}

/** The requests an agent can make: control, recording, call. */
export function Requests({ connection, state, reachable, fileName }: Props) {
  return (
    <div className={styles.requests}>
      <Request
        label={deskText.control}
        status={deskText.stages[state.control]}
        stage={state.control}
        reachable={reachable}
        ask={[deskText.askControl, () => connection.askControl()]}
        withdraw={[deskText.withdraw, () => connection.endControl()]}
        end={[deskText.endControl, () => connection.endControl()]}
      />
      <Request
        label={deskText.recording}
        status={deskText.stages[state.recording]}
        stage={state.recording}
        reachable={reachable}
        ask={[deskText.askRecording, () => connection.askRecording()]}
        end={[deskText.stopRecording, () => connection.stopRecording()]}
      >
        {state.recorded && state.recording !== 'granted' && (
          <SaveRecording connection={connection} fileName={fileName} />
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
        ask={[deskText.callPerson, () => void connection.startCall()]}
        withdraw={[deskText.hangUp, () => connection.hangUp()]}
        end={[deskText.hangUp, () => connection.hangUp()]}
      >
        {state.call === 'granted' && (
          <Mute isMuted={state.muted} onMute={muted => connection.mute(muted)} />
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

function Mute({ isMuted, onMute }: { isMuted: boolean; onMute: (muted: boolean) => void }) {
  return (
    <Button variant="quiet" narrow aria-pressed={isMuted} onClick={() => onMute(!isMuted)}>
      {isMuted ? <MicOff aria-hidden /> : <Mic aria-hidden />}
      {deskText.mute}
    </Button>
  )
}

function callStatus({ call }: VisitState): string {
  return call === 'none' || call === 'asked' || call === 'granted'
    ? deskText.callStages[call]
    : deskText.stages[call]
}

function SaveRecording({ connection, fileName }: Pick<Props, 'connection' | 'fileName'>) {
  const toasts = useToasts()
  const save = useMutation({
    mutationFn: () => recordingFile(connection.page.recorded),
    onSuccess: file => saveFile(file, `${fileName}-${new Date().toISOString().slice(0, 19)}.json`),
    onError: () => toasts.error(appText.error, deskText.saveFailed),
  })
  return (
    <Button variant="quiet" busy={save.isPending} onClick={() => save.mutate()}>
      {deskText.saveRecording}
    </Button>
  )
}

/** Downloads a file under a name. Colons are replaced, because file systems do not allow them. */
function saveFile(file: Blob, name: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = name.replaceAll(':', '-')
  link.click()
  // The browser has started reading the file by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** A button's label and handler. */
type Act = readonly [label: string, act: () => void]

interface RequestProps {
  /** Name of the request. */
  label: string
  /** Status text. */
  status: string
  stage: Stage
  reachable: boolean
  ask: Act
  /** Offered while the request is pending; without it the agent can only wait. */
  withdraw?: Act
  end: Act
  /** Further controls. */
  children?: ReactNode
}

/** One kind of request: its status and the button for the next step. */
function Request({ label, status, stage, reachable, ask, withdraw, end, children }: RequestProps) {
  const id = useId()
  const [text, act] = stage === 'granted' ? end : stage === 'asked' ? (withdraw ?? ask) : ask
  const waiting = stage === 'asked' && !withdraw
  return (
    <section className={styles.request} aria-labelledby={id} data-stage={stage}>
      <h3 id={id} className={typography.lead}>
        {label}
      </h3>
      <output className={styles.status}>{status}</output>
      <Button
        variant={stage === 'granted' ? 'danger' : stage === 'asked' ? 'quiet' : 'primary'}
        busy={waiting}
        disabled={!reachable && stage !== 'granted'}
        onClick={act}
      >
        {text}
      </Button>
      {children}
    </section>
  )
}
