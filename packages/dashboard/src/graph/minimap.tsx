import type { MouseEvent } from 'react';
import { classes } from '../ui/classes.js';
import { type Drawing, NODE } from './drawing.js';
import drawn from './graph-drawing.module.css';
import css from './minimap.module.css';
import { toneOf } from './node-words.js';
import type { ViewBox } from './view-box.js';

interface MinimapProps {
  readonly drawing: Drawing;
  readonly box: ViewBox;
  readonly onShow: (box: ViewBox) => void;
}

/** All of the graph in small, with what is in sight: a click shows another part. Nothing while all of it is in sight. */
export function Minimap({ drawing: { width, height, nodes }, box, onShow }: MinimapProps) {
  if (box.width >= width && box.height >= height) return null;
  const go = ({ currentTarget, clientX, clientY }: MouseEvent<SVGSVGElement>): void => {
    const place = currentTarget.getBoundingClientRect();
    const x = ((clientX - place.left) / place.width) * width - box.width / 2;
    const y = ((clientY - place.top) / place.height) * height - box.height / 2;
    onShow({ ...box, x, y });
  };
  return (
    <svg
      className={css.map}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      onClick={go}
    >
      {nodes.map(({ node, x, y }) => (
        <rect key={node.id} className={classes(css.node, drawn[toneOf(node)])} x={x} y={y} {...NODE} />
      ))}
      <rect className={css.sight} x={box.x} y={box.y} width={box.width} height={box.height} />
    </svg>
  );
}
