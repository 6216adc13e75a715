import { refusalText } from '#web/api/refusalText.ts'
import { LoadFailed } from './LoadFailed.tsx'
import { SkeletonRows } from './Skeleton.tsx'

interface Props {
  query: { error: unknown; isFetching: boolean; refetch: () => unknown }
  /** Title of the error. */
  failed: string
  /** As in `LoadFailed`. */
  whole?: boolean
  /** Name of what is loading; without it, nothing is shown meanwhile. */
  loading?: string
  /** As in `SkeletonRows`. */
  detailPx?: number
  figures?: boolean
  count?: number
}

/** In place of data that are not there yet: placeholder rows, or why they failed to load, with a retry button. */
export function NotLoaded({ query, failed, whole = false, loading, ...rows }: Props) {
  const { error, isFetching, refetch } = query
  if (!error) return loading === undefined ? null : <SkeletonRows label={loading} {...rows} />
  return (
    <LoadFailed
      title={failed}
      whole={whole}
      message={refusalText(error)}
      retrying={isFetching}
      onRetry={() => void refetch()}
    />
  )
}
