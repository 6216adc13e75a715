import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type SubmitEvent, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import type { ImportedRecording } from '#contract/positions.ts'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import {
  maxRecordingUploadBytes,
  maxUnpackedBytes,
  minUploadBytesPerSecond,
} from '#contract/shared/recordingRules.ts'
import { ambiguousDayIn } from '#racing/formats/ambiguousDay.ts'
import { post } from '#web/api/call.ts'
import { CallRefused } from '#web/api/callRefused.ts'
import { refusalOf } from '#web/api/refusalOf.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { sendWithProgress } from '#web/api/sendWithProgress.ts'
import { appText } from '#web/text/app.ts'
import { recordingsText } from '#web/text/recordings.ts'
import { teamsText } from '#web/text/teams.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { DialogChoices, DialogError, FormDialog } from '#web/ui/Dialog.tsx'
import { Field } from '#web/ui/Field.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useToasts } from '#web/ui/toasts.ts'
import { Stack } from '#web/ui/Wrap.tsx'
import styles from './ImportDialog.module.css'
import { importedText } from './importedText.ts'

/** Number of bytes at the beginning of a file that are searched for its date. */
const dateBytes = 20_000

/** Time to send the largest file at the minimum rate, to wait for other imports, and to read and store the file. */
const uploadTimeoutMs = (1000 * maxRecordingUploadBytes) / minUploadBytesPerSecond + 5 * 60_000

/** The form of an import. */
export function ImportDialog({ teamId, onClose }: { teamId: string; onClose: () => void }) {
  const [file, setFile] = useState<File | null>(null)
  const [name, setName] = useState('')
  const [day, setDay] = useState('')
  const [ambiguous, setAmbiguous] = useState<ReadDay | null>(null)
  const [lapTiming, setLapTiming] = useState(true)
  const newest = useRef<File>(null)
  const { upload, sent } = useUpload(teamId)
  function choose(chosen: File | null) {
    newest.current = chosen
    setFile(chosen)
    setAmbiguous(null)
    if (!chosen) return
    void ambiguousDayOf(chosen).then(found => {
      // Another file may have been chosen since.
      if (newest.current === chosen) setAmbiguous(found)
    })
    // Keeps a name that was typed, but not that of another file.
    if (name.trim() === '' || (file && name === titleOf(file))) setName(titleOf(chosen))
  }
  function submit(event: SubmitEvent) {
    event.preventDefault()
    if (file) upload.mutate({ file, name: name.trim(), day, lapTiming })
  }
  return (
    <FormDialog title={recordingsText.open} busy={upload.isPending} onClose={onClose}>
      {/* Makes room for progress or an error, so that the buttons stay on a phone's screen. */}
      {!upload.isPending && !upload.error && (
        <p className={typography.sub}>{recordingsText.about}</p>
      )}
      <form onSubmit={submit}>
        <Stack>
          <Field
            label={recordingsText.file}
            type="file"
            accept=".vbo,.gpx,.tcx,.kml,.nmea,.csv,.tsv,.txt,.log,.gz"
            onChange={({ target }) => choose(target.files?.[0] ?? null)}
          />
          <Field
            label={recordingsText.name}
            value={name}
            maxLength={maxNameLetters}
            onChange={({ target }) => setName(target.value)}
          />
          <div>
            <Field
              label={recordingsText.day}
              type="date"
              value={day}
              onChange={({ target }) => setDay(target.value)}
            />
            <p aria-live="polite" className={`${typography.sub} ${styles.hint}`}>
              {ambiguous &&
                recordingsText.dayReadAs(ambiguous.text, dayText.format(ambiguous.startMs))}
            </p>
          </div>
          <Checkbox
            label={teamsText.noLapTiming}
            hint={recordingsText.noLapTimingHint}
            checked={!lapTiming}
            onChange={({ target }) => setLapTiming(!target.checked)}
          />
          {upload.isPending && <Progress sent={sent} />}
          {upload.error && <DialogError>{errorText(upload.error)}</DialogError>}
          <DialogChoices>
            <Button variant="quiet" onClick={onClose}>
              {appText.cancel}
            </Button>
            <Button
              type="submit"
              disabled={file === null || name.trim() === ''}
              busy={upload.isPending}
            >
              {recordingsText.import}
            </Button>
          </DialogChoices>
        </Stack>
      </form>
    </FormDialog>
  )
}

/** Sends a recording, and opens its laps. `sent` is the share that was sent; null while the file is compressed. */
function useUpload(teamId: string) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const toasts = useToasts()
  const [sent, setSent] = useState<number | null>(null)
  const running = useRef<AbortController>(null)
  // Cancel closes the form. A person who leaves the screen must not be taken to the laps afterwards.
  useEffect(() => () => running.current?.abort(), [])
  const upload = useMutation({
    mutationFn: (recording: Upload) => {
      setSent(null)
      running.current = new AbortController()
      const { signal } = running.current
      return send(teamId, recording, { signal, onSent: setSent })
    },
    onSuccess: (imported, { lapTiming }) => {
      toasts.success(recordingsText.done, importedText(imported, lapTiming))
      void client.invalidateQueries({ queryKey: ['sessions.list', teamId] })
      return navigate(`/teams/${teamId}/${imported.sessionId}/laps`)
    },
  })
  return { upload, sent }
}

/** Shows that the file is being compressed, then the share that was sent, then that the server reads it. */
function Progress({ sent }: { sent: number | null }) {
  return (
    <div ref={scrollIntoView}>
      <progress
        className={styles.progress}
        aria-hidden
        value={sent === 1 ? undefined : (sent ?? undefined)}
      />
      <output className={typography.sub}>{progressText(sent)}</output>
    </div>
  )
}

/** On a phone in landscape the progress would be below the visible part of the dialog. */
function scrollIntoView(progress: HTMLElement | null) {
  progress?.scrollIntoView({ block: 'center' })
}

function progressText(sent: number | null): string {
  if (sent === null) return recordingsText.compressing
  return sent < 1 ? recordingsText.sending(percent.format(sent)) : recordingsText.storing
}

const dayText = new Intl.DateTimeFormat(undefined, { dateStyle: 'long', timeZone: 'UTC' })

/** A date as written in a file, and how the server reads it unless another day is entered. */
interface ReadDay {
  text: string
  /** Start of the day (UTC). */
  startMs: number
}

/** Returns the date in a file if it is ambiguous. Returns null for compressed files, which are not searched. */
async function ambiguousDayOf(file: File): Promise<ReadDay | null> {
  const day = ambiguousDayIn(await file.slice(0, dateBytes).text())
  if (!day) return null
  // The server never takes a date in the future.
  const isFuture = day.dayFirstMs > Date.now()
  return { text: day.text, startMs: isFuture ? day.monthFirstMs : day.dayFirstMs }
}

const percent = new Intl.NumberFormat(undefined, { style: 'percent' })

interface Upload {
  file: File
  name: string
  /** Empty if the file has the day. */
  day: string
  lapTiming: boolean
}

async function send(
  teamId: string,
  { file, name, day, lapTiming }: Upload,
  { signal, onSent }: { signal: AbortSignal; onSent: (share: number) => void },
): Promise<ImportedRecording> {
  const query = new URLSearchParams({ name, lapTiming: String(lapTiming), ...(day && { day }) })
  return post<ImportedRecording>(
    `/api/v1/teams/${teamId}/recordings?${query}`,
    { headers: { 'content-type': 'application/octet-stream' }, body: await compressed(file) },
    { signal, timeoutMs: uploadTimeoutMs, send: sendWithProgress(onSent) },
  )
}

/**
 * Compresses a file to about a fifth, so that a slow network can upload it in time.
 * @throws {CallRefused} if it is too large, before a byte is sent.
 */
async function compressed(file: File): Promise<Blob> {
  const isPacked = /\.gz$/i.test(file.name)
  if (!isPacked && file.size > maxUnpackedBytes) throw await tooLarge()
  const isSentAsIs = isPacked || !('CompressionStream' in window)
  const packed = isSentAsIs
    ? file
    : await new Response(file.stream().pipeThrough(new CompressionStream('gzip'))).blob()
  if (packed.size > maxRecordingUploadBytes) throw await tooLarge()
  return packed
}

async function tooLarge(): Promise<CallRefused> {
  return new CallRefused(await refusalOf({ code: 'too-large', detail: 'recording-too-large' }))
}

/** Adds, if no response arrived, that some positions may be stored. */
function errorText(error: Error): string {
  const text = refusalText(error)
  const isUnknown = error instanceof CallRefused && error.code === 'unreachable'
  return isUnknown ? `${text} ${recordingsText.partly}` : text
}

function titleOf({ name }: File): string {
  return name.replace(/(\.[a-z0-9]{1,5})+$/i, '').slice(0, maxNameLetters)
}
