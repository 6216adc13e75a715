/** Pictures are shown small: more pixels would only cost upload time. */
const longestSidePx = 512
const quality = 0.85

/**
 * Scales a picture down, turns it upright and strips the camera's metadata. A file that this browser
 * cannot decode is returned unchanged: the server refuses it with a reason.
 */
export async function shrinkPicture(file: File): Promise<Blob> {
  const bitmap = await createImageBitmap(file).catch(() => null)
  if (!bitmap) return file
  const scale = Math.min(1, longestSidePx / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  const context = canvas.getContext('2d')
  if (context) context.imageSmoothingQuality = 'high'
  context?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  return (context && (await encode(canvas, typeFor(file)))) ?? file
}

/** Only JPEGs certainly have no transparency. A browser without a WebP encoder writes PNG. */
function typeFor(file: File): string {
  return file.type === 'image/jpeg' ? 'image/jpeg' : 'image/webp'
}

function encode(canvas: HTMLCanvasElement, type: string): Promise<Blob | null> {
  return new Promise(resolve => canvas.toBlob(resolve, type, quality))
}
