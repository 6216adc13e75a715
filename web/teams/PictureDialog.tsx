import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import type { StoredFile } from '#contract/files.ts'
import { fileTypes } from '#contract/shared/fileRules.ts'
import { command } from '#web/api/call.ts'
import { teamQuery } from '#web/api/queries.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { filesQuery, teamsQuery } from '#web/api/teamQueries.ts'
import { shrinkPicture } from '#web/device/shrinkPicture.ts'
import { appText } from '#web/text/app.ts'
import { membersText } from '#web/text/members.ts'
import { Button } from '#web/ui/Button.tsx'
import { DialogChoices, DialogError, FormDialog } from '#web/ui/Dialog.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useToasts } from '#web/ui/toasts.ts'
import { Stack } from '#web/ui/Wrap.tsx'
import { type CallOptions, post } from '../api/call.ts'
import styles from './PictureDialog.module.css'

/** Upload timeout, in milliseconds: at the minimum rate that the server accepts, 5 MiB take 82 s. */
const uploadTimeoutMs = 120_000

interface Props {
  title: string
  /** Explains where the picture is shown. */
  text: string
  /** The plate that the picture covers. */
  plate: { name: string; quiet?: boolean }
  /** URL of the current picture, if there is one. */
  current: string | undefined
  file: PictureFile
  onClose: () => void
}

/**
 * Dialog to choose or remove the picture that replaces the three letters. A refused picture stays selected, so that a
 * retry takes one press.
 */
export function PictureDialog({ title, text, plate, current, file, onClose }: Props) {
  const { save, remove } = usePicture(file, onClose)
  const [chosen, setChosen] = useState<Chosen | null>(null)
  useEffect(() => () => chosen?.revoke(), [chosen])
  const failed = save.error ?? remove.error
  const busy = save.isPending || remove.isPending
  function choose(picked: File) {
    save.reset()
    remove.reset()
    setChosen(chosenFrom(picked))
  }
  return (
    // An upload can be aborted by closing; a removal cannot.
    <FormDialog title={title} busy={remove.isPending} onClose={onClose}>
      <Stack>
        <p className={styles.shown}>
          <ThreeLetterPlate {...plate} picture={chosen?.preview ?? current} />
          <span className={typography.sub}>{chosen?.file.name ?? text}</span>
        </p>
        <PictureChoice
          label={chosen ? membersText.chooseAnother : membersText.choose}
          onPick={choose}
        />
        {failed && <DialogError>{refusalText(failed)}</DialogError>}
        {current !== undefined && !chosen && (
          <Button variant="danger" busy={remove.isPending} onClick={() => remove.mutate()}>
            {membersText.removePicture}
          </Button>
        )}
        <DialogChoices>
          <Button variant="quiet" disabled={remove.isPending} onClick={onClose}>
            {appText.cancel}
          </Button>
          <Button
            disabled={!chosen || busy}
            busy={save.isPending}
            onClick={() => chosen && save.mutate(chosen.file)}
          >
            {save.isError ? appText.tryAgain : appText.save}
          </Button>
        </DialogChoices>
      </Stack>
    </FormDialog>
  )
}

/** A button that opens the browser's file picker. */
function PictureChoice({ label, onPick }: { label: string; onPick: (file: File) => void }) {
  const input = useRef<HTMLInputElement>(null)
  function pick(event: ChangeEvent<HTMLInputElement>) {
    const picked = event.target.files?.[0]
    if (picked) onPick(picked)
    // Otherwise selecting the same file again would not fire a change event.
    event.target.value = ''
  }
  return (
    <>
      <input ref={input} type="file" hidden accept={pictureTypes} onChange={pick} />
      <Button variant="quiet" onClick={() => input.current?.click()}>
        {label}
      </Button>
    </>
  )
}

const pictureTypes = fileTypes.filter(type => type.startsWith('image/')).join()

/** A selected picture and its object URL. */
interface Chosen {
  file: File
  preview: string
  revoke: () => void
}

function chosenFrom(file: File): Chosen {
  const preview = URL.createObjectURL(file)
  return { file, preview, revoke: () => URL.revokeObjectURL(preview) }
}

interface PictureFile {
  teamId: string
  name: string
}

/**
 * Saves and removes a picture of a team, then refreshes the URLs on all screens that show it. A pending
 * upload is aborted on unmount.
 */
function usePicture(file: PictureFile, onDone: () => void) {
  const client = useQueryClient()
  const toasts = useToasts()
  const stop = useRef<AbortController>(null)
  useEffect(() => () => stop.current?.abort(), [])
  function refresh() {
    for (const { queryKey } of [filesQuery(file.teamId), teamQuery(file.teamId), teamsQuery]) {
      void client.invalidateQueries({ queryKey })
    }
  }
  function done(sentence: string) {
    refresh()
    toasts.success(appText.success, sentence)
    onDone()
  }
  const save = useMutation({
    mutationFn: async (chosen: File) => {
      const controller = new AbortController()
      stop.current = controller
      const content = await shrinkPicture(chosen)
      return upload({ ...file, content }, { signal: controller.signal })
    },
    onSuccess: () => done(membersText.pictureSaved),
    // It may have been stored before the abort.
    onError: refresh,
  })
  const remove = useMutation({
    mutationFn: () => command('files.delete', file),
    onSuccess: () => done(membersText.pictureRemoved),
  })
  return { save, remove }
}

interface Upload {
  teamId: string
  name: string
  content: Blob
}

/**
 * Stores a file of a team and replaces one of the same name.
 * @throws {CallRefused} with the server's code, or 'unreachable'.
 */
function upload(
  { teamId, name, content }: Upload,
  { signal }: CallOptions = {},
): Promise<StoredFile> {
  const form = new FormData()
  form.set('teamId', teamId)
  form.set('name', name)
  form.set('file', content, name)
  return post('/api/files.upload', { body: form }, { timeoutMs: uploadTimeoutMs, signal })
}
