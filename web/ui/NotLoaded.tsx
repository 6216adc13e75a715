import { refusalText } from '#web/api/refusalText.ts'
import { appText } from '#web/text/app.ts'
import { LoadFailed } from './LoadFailed.tsx'
import { SkeletonRows } from './Skeleton.tsx'

interface Props {
  query: { error: unknown; isFetching: boolean; refetch: () => unknown }
  /** Title of the error. */
  failed: string
  /** Name of what is loading; without it, nothing is shown meanwhile. */
  loading?: string
  /** As in `SkeletonRows`. */
  detailPx?: number
  figures?: boolean
  count?: number
}

/** In place of data that are not there yet: placeholder rows, or why they failed to load, with a retry button. */
export function NotLoaded({ query, failed, loading, ...rows }: Props) {
  const { error, isFetching, refetch } = query
  if (!error) return loading === undefined ? null : <SkeletonRows label={loading} {...rows} />
  return (
    <LoadFailed
      title={failed}
      message={refusalText(error)}
      retryLabel={appText.tryAgain}
      retrying={isFetching}
      onRetry={() => void refetch()}
    />
  )
}
