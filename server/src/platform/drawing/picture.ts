import { renderAsync } from '@resvg/resvg-js'
import sharp from 'sharp'

/**
 * An SVG of ours as a PNG. Not by sharp, whose reader of SVG stays closed to whatever people send (`media-tools/images`);
 * it packs the pixels. Both work beside the event loop.
 */
export async function drawPicture(svg: string): Promise<Buffer> {
  const { pixels, width, height } = await renderAsync(svg, { font: { loadSystemFonts: false } })
  return sharp(pixels, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .png()
    .toBuffer()
}
