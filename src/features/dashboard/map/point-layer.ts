import { type DefaultProps, Layer, type LayerProps, type UpdateParameters } from '@deck.gl/core'
import type { Buffer } from '@luma.gl/core'
import { Model } from '@luma.gl/engine'
import { dotFragmentShader, pointUniforms, shapeFragmentShader, vertexShader } from './point-shaders.ts'
import { type Points, WORDS } from './points.ts'
import { viewUniforms } from './view-uniforms.ts'

type PointLayerProps = {
  points: Points
  /** that of `points`, so that the layer sees when they are others */
  version: number
  /** all of them are dots, which is drawn more quickly */
  isDots: boolean
  /** around each point: red, green, blue of 0 to 1, and its width, px */
  halo: readonly [number, number, number, number]
  /** all sizes are multiplied by it */
  scale: number
  /** asked at each drawing: no more than so many, the first ones */
  most(): number
}

const defaultProps: DefaultProps<LayerProps & PointLayerProps> = {
  points: { type: 'object', value: undefined as unknown as Points, compare: false },
  version: 0,
  isDots: false,
  halo: { type: 'array', value: [1, 1, 1, 0], compare: true },
  scale: 1,
  most: { type: 'function', value: () => Number.POSITIVE_INFINITY, compare: false },
}

/**
 * Any number of points in one draw call, without instances: a GPU in software takes 100,000 of them in the
 * time of some hundred instances. They are drawn in their order, the last on top.
 */
export class PointLayer extends Layer<PointLayerProps> {
  static override layerName = 'PointLayer'
  static override defaultProps = defaultProps
  declare state: { model: Model; buffer: Buffer | undefined; version: number }

  override initializeState(): void {
    this.setState({ model: this.createModel(), buffer: undefined, version: -1 })
  }

  override getNumInstances(): number {
    return 0
  }

  override updateState({ props }: UpdateParameters<this>): void {
    const { points, version } = props
    if (version === this.state.version) return
    const bytes = points.length * WORDS * Uint32Array.BYTES_PER_ELEMENT
    this.state.version = version
    if (bytes === 0) return
    if (this.state.buffer === undefined || this.state.buffer.byteLength < bytes) {
      this.state.buffer?.destroy()
      this.state.buffer = this.context.device.createBuffer({ byteLength: points.words.byteLength })
      this.state.model.setAttributes({ points: this.state.buffer })
    }
    this.state.buffer.write(points.words.subarray(0, points.length * WORDS))
    this.setNeedsRedraw()
  }

  override draw(): void {
    const { points, halo, scale, most } = this.props
    const { model } = this.state
    const count = Math.min(points.length, most())
    if (count === 0 || this.state.buffer === undefined) return
    model.shaderInputs.setProps({
      fleetPoints: {
        ...viewUniforms(this.context),
        halo: [...halo],
        ratio: this.context.device.getDefaultCanvasContext().getDevicePixelRatio(),
        scale,
      },
    })
    model.setVertexCount(count)
    model.draw(this.context.renderPass)
  }

  override finalizeState(context: this['context']): void {
    super.finalizeState(context)
    this.state.buffer?.destroy()
  }

  private createModel(): Model {
    const fs = this.props.isDots ? dotFragmentShader : shapeFragmentShader
    return new Model(this.context.device, {
      ...this.getShaders({ vs: vertexShader, fs, modules: [pointUniforms] }),
      id: this.props.id,
      topology: 'point-list',
      bufferLayout: [
        {
          name: 'points',
          byteStride: WORDS * Uint32Array.BYTES_PER_ELEMENT,
          attributes: [
            { attribute: 'place', format: 'uint32x2', byteOffset: 0 },
            { attribute: 'colour', format: 'unorm8x4', byteOffset: 8 },
            { attribute: 'style', format: 'uint8x4', byteOffset: 12 },
          ],
        },
      ],
    })
  }
}
