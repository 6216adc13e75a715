/** Plates are small: more would only be sent. */
const longestSidePx = 512
const quality = 0.85

/**
 * Makes a picture as small as it is needed, upright, and without what the camera wrote into it. What
 * this browser cannot read as a picture comes back as it is: the server says what is wrong with it.
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
  return (context && (await written(canvas, typeFor(file)))) ?? file
}

/** Only photos of a camera have surely nothing transparent. A browser that cannot write WebP writes PNG. */
function typeFor(file: File): string {
  return file.type === 'image/jpeg' ? 'image/jpeg' : 'image/webp'
}

function written(canvas: HTMLCanvasElement, type: string): Promise<Blob | null> {
  return new Promise(resolve => canvas.toBlob(resolve, type, quality))
}
