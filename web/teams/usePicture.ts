import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import type { StoredFile } from '#contract/files.ts'
import { command } from '#web/api/call.ts'
import { teamQuery } from '#web/api/queries.ts'
import { filesQuery, teamsQuery } from '#web/api/teamQueries.ts'
import { shrinkPicture } from '#web/device/shrinkPicture.ts'
import { appText } from '#web/text/app.ts'
import { membersText } from '#web/text/members.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { type CallOptions, post } from '../api/call.ts'

export interface PictureFile {
  teamId: string
  name: string
}

/**
 * Saves and removes a picture of a team, then refreshes the URLs on all screens that show it. A pending
 * upload is aborted on unmount.
 */
export function usePicture(file: PictureFile, onDone: () => void) {
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

/** Upload timeout, in milliseconds: at the minimum rate that the server accepts, 5 MiB take 82 s. */
const uploadTimeoutMs = 120_000

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
