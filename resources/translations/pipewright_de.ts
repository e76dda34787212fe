<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
<context>
    <name>Alternatives</name>
    <message>
        <source>above the memory limit</source>
        <translation>über der Speichergrenze</translation>
    </message>
    <message>
        <source>reading…</source>
        <translation>wird gelesen …</translation>
    </message>
    <message>
        <source>slower by %1</source>
        <translation>um %1 langsamer</translation>
    </message>
    <message>
        <source>as fast, with more memory</source>
        <translation>gleich schnell, mit mehr Speicher</translation>
    </message>
    <message>
        <source>as fast</source>
        <translation>gleich schnell</translation>
    </message>
    <message>
        <source>%1, %2 % less memory</source>
        <translation>%1, %2 % weniger Speicher</translation>
    </message>
    <message>
        <source>asynchronous: gradients of older weights</source>
        <translation>asynchron: Gradienten älterer Gewichte</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1; %2</translation>
    </message>
    <message>
        <source>family</source>
        <translation>Familie</translation>
    </message>
    <message>
        <source>schedule</source>
        <translation>Ablaufplan</translation>
    </message>
    <message>
        <source>what if</source>
        <translation>was wäre, wenn</translation>
    </message>
    <message>
        <source>found order</source>
        <translation>gefundene Ordnung</translation>
    </message>
    <message>
        <source>run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>plan of a run</source>
        <translation>Plan eines Laufs</translation>
    </message>
    <message>
        <source>asynchronous</source>
        <translation>asynchron</translation>
    </message>
    <message>
        <source>%1 shorter</source>
        <translation>%1 kürzer</translation>
    </message>
    <message>
        <source>%1 longer</source>
        <translation>%1 länger</translation>
    </message>
    <message>
        <source>as long</source>
        <translation>gleich lang</translation>
    </message>
    <message>
        <source>against 1F1B: %1</source>
        <translation>gegen 1F1B: %1</translation>
    </message>
    <message>
        <source>against 1F1B: %1, %2</source>
        <translation>gegen 1F1B: %1, %2</translation>
    </message>
    <message>
        <source>%1 less memory</source>
        <translation>%1 weniger Speicher</translation>
    </message>
    <message>
        <source>%1 more memory</source>
        <translation>%1 mehr Speicher</translation>
    </message>
    <message>
        <source>same memory</source>
        <translation>gleich viel Speicher</translation>
    </message>
    <message>
        <source>bubble %1</source>
        <translation>Bubble %1</translation>
    </message>
    <message>
        <source> mb</source>
        <translation> mb</translation>
    </message>
    <message>
        <source>Alternatives</source>
        <translation>Alternativen</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>Ablaufplan</translation>
    </message>
    <message>
        <source>Nothing is worked out yet.</source>
        <translation>Noch nichts berechnet.</translation>
    </message>
    <message>
        <source>What would help</source>
        <translation>Was helfen würde</translation>
    </message>
    <message>
        <source>About</source>
        <translation>Über</translation>
    </message>
    <message>
        <source>%1 schedules in %2     %3 on the Pareto line     %4 above the limit     %5 cannot be</source>
        <translation>%1 Ablaufpläne in %2     %3 auf der Pareto-Linie     %4 über der Grenze     %5 nicht möglich</translation>
    </message>
    <message>
        <source>     sweeping …</source>
        <translation>     Reihe läuft …</translation>
    </message>
    <message>
        <source>It is not read yet.</source>
        <translation>Es ist noch nicht gelesen.</translation>
    </message>
    <message>
        <source>%1 less with %2</source>
        <translation>%1 weniger mit %2</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>10 % more memory</source>
        <translation>10 % mehr Speicher</translation>
    </message>
    <message>
        <source>links twice as fast</source>
        <translation>doppelt so schnelle Leitungen</translation>
    </message>
    <message>
        <source>twice the micro-batches</source>
        <translation>doppelt so viele Micro-Batches</translation>
    </message>
    <message>
        <source>bubble %1 → %2 % with %3</source>
        <translation>Bubble %1 → %2 % mit %3</translation>
    </message>
    <message>
        <source>As typed</source>
        <translation>Eingabe</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Woher</translation>
    </message>
    <message>
        <source>Makespan</source>
        <translation>Gesamtdauer</translation>
    </message>
    <message>
        <source>5 … 95 % below</source>
        <translation>5 … 95 % unter</translation>
    </message>
    <message>
        <source>Wall bubble</source>
        <translation>Wall-Bubble</translation>
    </message>
    <message>
        <source>Peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Why not</source>
        <translation>Warum nicht</translation>
    </message>
    <message>
        <source>Refused</source>
        <translation>Abgelehnt</translation>
    </message>
</context>
<context>
    <name>Background</name>
    <message>
        <source>out of memory</source>
        <translation>zu wenig Speicher</translation>
    </message>
    <message>
        <source>Given up</source>
        <translation>Abgebrochen</translation>
    </message>
    <message>
        <source>What was being done was given up: %1.</source>
        <translation>Der laufende Vorgang wurde abgebrochen: %1.</translation>
    </message>
</context>
<context>
    <name>Clip</name>
    <message>
        <source>The passes on the clipboard cannot be read.</source>
        <translation>Die Durchläufe in der Zwischenablage sind nicht lesbar.</translation>
    </message>
    <message>
        <source>There are no passes on the clipboard.</source>
        <translation>In der Zwischenablage sind keine Durchläufe.</translation>
    </message>
    <message>
        <source>The text on the clipboard is not a schedule: %1</source>
        <translation>Der Text in der Zwischenablage ist kein Ablaufplan: %1</translation>
    </message>
</context>
<context>
    <name>Core</name>
    <message>
        <source>measured on the device</source>
        <translation>auf dem Gerät gemessen</translation>
    </message>
    <message>
        <source>host clock</source>
        <translation>Uhr des Hosts</translation>
    </message>
    <message>
        <source>by containment</source>
        <translation>nach Enthaltensein</translation>
    </message>
    <message>
        <source>counted</source>
        <translation>gezählt</translation>
    </message>
    <message>
        <source>guessed</source>
        <translation>geschätzt</translation>
    </message>
    <message>
        <source>other</source>
        <translation>anderes</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>communication</source>
        <translation>Kommunikation</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>launch</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>wait</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>annotation</source>
        <translation>Anmerkung</translation>
    </message>
    <message>
        <source>script</source>
        <translation>Skript</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>weight versions</source>
        <translation>Gewichtsversionen</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>Gradienten</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>Aktivierungen</translation>
    </message>
    <message>
        <source>held for W</source>
        <translation>für W gehalten</translation>
    </message>
    <message>
        <source>messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>workspace</source>
        <translation>Arbeitsbereich</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>beendet</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>gescheitert</translation>
    </message>
    <message>
        <source>incomplete</source>
        <translation>unvollständig</translation>
    </message>
    <message>
        <source>computing</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>recompute</source>
        <translation>Neuberechnung</translation>
    </message>
    <message>
        <source>warm-up and cool-down</source>
        <translation>An- und Auslauf</translation>
    </message>
    <message>
        <source>dependency</source>
        <translation>Abhängigkeit</translation>
    </message>
    <message>
        <source>transfer</source>
        <translation>Übertragung</translation>
    </message>
    <message>
        <source>peer late</source>
        <translation>Partner spät</translation>
    </message>
    <message>
        <source>imbalance</source>
        <translation>Ungleichgewicht</translation>
    </message>
    <message>
        <source>launch gap</source>
        <translation>Startlücke</translation>
    </message>
    <message>
        <source>jitter</source>
        <translation>Schwankung</translation>
    </message>
    <message>
        <source>unexplained</source>
        <translation>ungeklärt</translation>
    </message>
    <message>
        <source>aim</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>chunks</source>
        <translation>Chunks</translation>
    </message>
    <message>
        <source>delay-weight</source>
        <translation>W verzögert</translation>
    </message>
    <message>
        <source>eager</source>
        <translation>Eifrig</translation>
    </message>
    <message>
        <source>group</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>memory-limit</source>
        <translation>Speichergrenze</translation>
    </message>
    <message>
        <source>order</source>
        <translation>Reihenfolge</translation>
    </message>
    <message>
        <source>overlap</source>
        <translation>Überlappung</translation>
    </message>
    <message>
        <source>segments</source>
        <translation>Segmente</translation>
    </message>
    <message>
        <source>time-limit</source>
        <translation>Zeitgrenze</translation>
    </message>
    <message>
        <source>waves</source>
        <translation>Wellen</translation>
    </message>
    <message>
        <source>chunks a device</source>
        <translation>Chunks je Gerät</translation>
    </message>
    <message>
        <source>segments a sequence</source>
        <translation>Segmente je Sequenz</translation>
    </message>
    <message>
        <source>micro-batches in a group, k</source>
        <translation>Micro-Batches in einer Gruppe, k</translation>
    </message>
    <message>
        <source>Micro-batches from both ends over two copies of the model; forwards and backwards of opposite directions run as overlapped pairs.</source>
        <translation>Micro-Batches von beiden Enden über zwei Kopien des Modells; Forwards und Backwards der Gegenrichtungen laufen als überlappte Paare.</translation>
    </message>
    <message>
        <source>V placement from a building block with long hops: 1F1B&apos;s activation and no idle time inside a device&apos;s span.</source>
        <translation>V-Platzierung aus einem Baustein mit langen Sprüngen: Aktivierung wie 1F1B und kein Leerlauf in der Spanne eines Geräts.</translation>
    </message>
    <message>
        <source>Waves through a zig-zag of stages, one weight copy: Chimera&apos;s two directions folded into one pipeline.</source>
        <translation>Wellen durch ein Zickzack der Stufen, eine Kopie der Gewichte: die zwei Richtungen von Chimera in eine Pipeline gefaltet.</translation>
    </message>
    <message>
        <source>times that a micro-batch goes down the devices and back</source>
        <translation>wie oft ein Micro-Batch die Geräte hin und zurück durchläuft</translation>
    </message>
    <message>
        <source>1F1B over segments of each sequence: forwards from the first segment, backwards from the last.</source>
        <translation>1F1B über Segmente jeder Sequenz: Forwards ab dem ersten Segment, Backwards ab dem letzten.</translation>
    </message>
    <message>
        <source>Zero bubble on a V placement: 1F1B&apos;s activation, the same on every device, and no idle time inside a device&apos;s span.</source>
        <translation>Zero Bubble auf V-Platzierung: Aktivierung wie 1F1B, auf jedem Gerät gleich, und kein Leerlauf in der Spanne eines Geräts.</translation>
    </message>
    <message>
        <source>0 the best found for the times, 1 the fixed order, 2 the greedy one</source>
        <translation>0 die beste für die Zeiten gefundene, 1 die feste, 2 die gierige Reihenfolge</translation>
    </message>
    <message>
        <source>most micro-batches of activation on a device</source>
        <translation>höchste Aktivierung auf einem Gerät, in Micro-Batches</translation>
    </message>
    <message>
        <source>0 the shortest span of a device, 1 the shortest makespan</source>
        <translation>0 die kürzeste Spanne eines Geräts, 1 die kürzeste Gesamtdauer</translation>
    </message>
    <message>
        <source>Twice the warm-up forwards of 1F1B and weight gradients held back: no bubble inside a device&apos;s span where all passes take the same.</source>
        <translation>Doppelt so viele Forwards im Anlauf wie 1F1B und zurückgehaltene Gewichtsgradienten: keine Bubble in der Spanne eines Geräts, wenn alle Durchläufe gleich lang dauern.</translation>
    </message>
    <message>
        <source>The best V-shaped schedule found for any memory limit and the given times.</source>
        <translation>Der beste V-förmige Ablaufplan, der für eine Speichergrenze und die gegebenen Zeiten gefunden wird.</translation>
    </message>
    <message>
        <source>1F1B without a flush: gradients of a step make a version that is first read two steps later, so two versions are enough.</source>
        <translation>1F1B ohne Flush: Die Gradienten eines Schritts bilden eine Version, die erst zwei Schritte später gelesen wird, daher genügen zwei Versionen.</translation>
    </message>
    <message>
        <source>V placement with half of 1F1B&apos;s activation; steady where W+2B ≥ 2F and W+2F ≥ 2B.</source>
        <translation>V-Platzierung mit der halben Aktivierung von 1F1B; stetig, wo W+2B ≥ 2F und W+2F ≥ 2B.</translation>
    </message>
    <message>
        <source>One forward, one backward in turn, with a flush at the end of the step (PipeDream-Flush, DAPPLE).</source>
        <translation>Abwechselnd ein Forward, ein Backward, mit Flush am Ende des Schritts (PipeDream-Flush, DAPPLE).</translation>
    </message>
    <message>
        <source>1 doubles the warm-up, to hide communication for more memory</source>
        <translation>1 verdoppelt den Anlauf, um Kommunikation gegen mehr Speicher zu verdecken</translation>
    </message>
    <message>
        <source>1 runs each forward and backward of the steady state as an overlapped pair</source>
        <translation>1 führt jedes Forward und Backward der stetigen Phase als überlapptes Paar aus</translation>
    </message>
    <message>
        <source>1F1B with the weight gradients held back to fill the bubbles, within the memory of 1F1B.</source>
        <translation>1F1B mit zurückgehaltenen Gewichtsgradienten, die die Bubbles füllen, im Speicher von 1F1B.</translation>
    </message>
    <message>
        <source>micro-batches that go through a chunk before the next chunk follows</source>
        <translation>Micro-Batches, die durch einen Chunk gehen, bevor der nächste Chunk folgt</translation>
    </message>
    <message>
        <source>p, or the next that m allows</source>
        <translation>p, oder das nächste, das m erlaubt</translation>
    </message>
    <message>
        <source>Two pipelines in opposite directions over two copies of the model; each fills the other&apos;s bubbles.</source>
        <translation>Zwei Pipelines in Gegenrichtung über zwei Kopien des Modells; jede füllt die Bubbles der anderen.</translation>
    </message>
    <message>
        <source>k forwards and k backwards in turn: 1F1B over groups, which hides communication for more memory.</source>
        <translation>Abwechselnd k Forwards und k Backwards: 1F1B über Gruppen, das Kommunikation gegen mehr Speicher verdeckt.</translation>
    </message>
    <message>
        <source>Orders F, B and W for the shortest span within a memory limit, from the real times of stages and links (ZB-1p: limit p, ZB-2p: limit 2p).</source>
        <translation>Ordnet F, B und W zur kürzesten Spanne innerhalb einer Speichergrenze, aus den echten Zeiten von Stufen und Leitungen (ZB-1p: Grenze p, ZB-2p: Grenze 2p).</translation>
    </message>
    <message>
        <source>activation that a device may hold, in micro-batches</source>
        <translation>Aktivierung, die ein Gerät halten darf, in Micro-Batches</translation>
    </message>
    <message>
        <source>seconds that the search may take; 0 takes the published heuristic as it is</source>
        <translation>Sekunden, die die Suche dauern darf; 0 nimmt die veröffentlichte Heuristik, wie sie ist</translation>
    </message>
    <message>
        <source>Interleaved 1F1B over segments of each sequence.</source>
        <translation>Interleaved 1F1B über Segmente jeder Sequenz.</translation>
    </message>
    <message>
        <source>segments a sequence; divides p, unless m is p</source>
        <translation>Segmente je Sequenz; teilt p, außer wenn m gleich p ist</translation>
    </message>
    <message>
        <source>1F1B without a flush: each stage updates its weights after every micro-batch and keeps the version that a micro-batch started with for its backward.</source>
        <translation>1F1B ohne Flush: Jede Stufe aktualisiert ihre Gewichte nach jedem Micro-Batch und hält für dessen Backward die Version, mit der er begann.</translation>
    </message>
    <message>
        <source>V placement with a third of 1F1B&apos;s activation; unequal times cost idle time in every micro-batch.</source>
        <translation>V-Platzierung mit einem Drittel der Aktivierung von 1F1B; ungleiche Zeiten kosten Leerlauf in jedem Micro-Batch.</translation>
    </message>
    <message>
        <source>micro-batches that go through a chunk before the next chunk follows, from p/2</source>
        <translation>Micro-Batches, die durch einen Chunk gehen, bevor der nächste Chunk folgt, ab p/2</translation>
    </message>
    <message>
        <source>1 puts W on device r behind the backward r places later</source>
        <translation>1 legt W auf Gerät r hinter das Backward r Plätze später</translation>
    </message>
    <message>
        <source>Half of DualPipe on a V placement: overlapped pairs with one copy of the model.</source>
        <translation>Die Hälfte von DualPipe auf V-Platzierung: überlappte Paare mit einer Kopie des Modells.</translation>
    </message>
    <message>
        <source>All forwards, then all backwards; optionally with re-materialisation.</source>
        <translation>Alle Forwards, dann alle Backwards; auf Wunsch mit Neuberechnung.</translation>
    </message>
    <message>
        <source>1 keeps stage inputs only and runs each forward once more</source>
        <translation>1 hält nur die Eingaben der Stufen und führt jedes Forward noch einmal aus</translation>
    </message>
    <message>
        <source>All micro-batches through a chunk before the next chunk: each chunk&apos;s weights are gathered and its gradients reduced once.</source>
        <translation>Alle Micro-Batches durch einen Chunk vor dem nächsten: Gewichte jedes Chunks werden einmal gesammelt, seine Gradienten einmal reduziert.</translation>
    </message>
    <message>
        <source>1F1B with several chunks a device, laid round and round: a smaller bubble for more messages and memory (Megatron&apos;s virtual pipeline).</source>
        <translation>1F1B mit mehreren Chunks je Gerät, reihum gelegt: eine kleinere Bubble gegen mehr Nachrichten und Speicher (virtuelle Pipeline von Megatron).</translation>
    </message>
    <message>
        <source>Interleaved 1F1B with a split backward and a short warm-up; groups of p/2 make GIS-H, a delayed W makes interleaved zero bubble.</source>
        <translation>Interleaved 1F1B mit geteiltem Backward und kurzem Anlauf; Gruppen von p/2 ergeben GIS-H, ein verzögertes W Interleaved Zero Bubble.</translation>
    </message>
    <message>
        <source>Seq1F1B with a split backward, its weight part delayed by device as in ZB-H1.</source>
        <translation>Seq1F1B mit geteiltem Backward, dessen Gewichtsteil je Gerät verzögert ist wie in ZB-H1.</translation>
    </message>
    <message>
        <source>matrix products</source>
        <translation>Matrixprodukte</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>Attention</translation>
    </message>
    <message>
        <source>element-wise kernels</source>
        <translation>elementweise Kernel</translation>
    </message>
    <message>
        <source>waiting for the host</source>
        <translation>Warten auf den Host</translation>
    </message>
    <message>
        <source>tensor collectives</source>
        <translation>Tensor-Kollektive</translation>
    </message>
    <message>
        <source>expert exchange</source>
        <translation>Austausch der Experten</translation>
    </message>
    <message>
        <source>context exchange</source>
        <translation>Austausch des Kontexts</translation>
    </message>
    <message>
        <source>copies to the host, exposed</source>
        <translation>Kopien zum Host, sichtbar</translation>
    </message>
    <message>
        <source>messages between stages</source>
        <translation>Nachrichten zwischen Stufen</translation>
    </message>
    <message>
        <source>bubble of the busiest device</source>
        <translation>Bubble des vollsten Geräts</translation>
    </message>
    <message>
        <source>sum of gradients</source>
        <translation>Summe der Gradienten</translation>
    </message>
    <message>
        <source>tied embedding</source>
        <translation>gemeinsames Embedding</translation>
    </message>
    <message>
        <source>rest of a step</source>
        <translation>Rest eines Schritts</translation>
    </message>
    <message>
        <source>fastest that fits</source>
        <translation>am schnellsten von denen, die passen</translation>
    </message>
    <message>
        <source>plan</source>
        <translation>Plan</translation>
    </message>
    <message>
        <source>comparison</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>best</source>
        <translation>beste</translation>
    </message>
    <message>
        <source>fixed</source>
        <translation>feste</translation>
    </message>
    <message>
        <source>greedy</source>
        <translation>gierige</translation>
    </message>
    <message>
        <source>span</source>
        <translation>Spanne</translation>
    </message>
    <message>
        <source>makespan</source>
        <translation>Gesamtdauer</translation>
    </message>
    <message>
        <source>buffers</source>
        <translation>Puffer</translation>
    </message>
    <message>
        <source>fragments</source>
        <translation>Fragmente</translation>
    </message>
    <message>
        <source>no flush: trains with weights a step old or more</source>
        <translation>ohne Flush: trainiert mit Gewichten, die einen Schritt alt oder älter sind</translation>
    </message>
    <message>
        <source>barrier of a shared vocabulary</source>
        <translation>Barriere eines geteilten Vokabulars</translation>
    </message>
</context>
<context>
    <name>DeviceTime</name>
    <message>
        <source>Where the device&apos;s time went</source>
        <translation>Wohin die Zeit des Geräts ging</translation>
    </message>
    <message numerus="yes">
        <source>Where the time of %n devices went</source>
        <translation>
            <numerusform>Wohin die Zeit von %n Gerät ging</numerusform>
            <numerusform>Wohin die Zeit von %n Geräten ging</numerusform>
        </translation>
    </message>
    <message>
        <source>compute alone</source>
        <translation>nur Rechnen</translation>
    </message>
    <message>
        <source>both: hidden</source>
        <translation>beides: verdeckt</translation>
    </message>
    <message>
        <source>exposed communication</source>
        <translation>sichtbare Kommunikation</translation>
    </message>
    <message>
        <source>copies alone</source>
        <translation>nur Kopien</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>Stillstand</translation>
    </message>
    <message>
        <source>of it: for the host</source>
        <translation>davon: auf den Host</translation>
    </message>
    <message>
        <source>of it: for a stream</source>
        <translation>davon: auf einen Stream</translation>
    </message>
    <message>
        <source>of it: launch gaps</source>
        <translation>davon: Startlücken</translation>
    </message>
    <message>
        <source>of it: not known why</source>
        <translation>davon: Grund unbekannt</translation>
    </message>
    <message>
        <source>communication hidden</source>
        <translation>verdeckte Kommunikation</translation>
    </message>
    <message>
        <source>slow rank</source>
        <translation>langsamer Rang</translation>
    </message>
</context>
<context>
    <name>Exercise</name>
    <message>
        <source>This is a level: you solve it. Hints are in the lesson.</source>
        <translation>Das ist eine Aufgabe: Du löst sie. Tipps stehen in der Lektion.</translation>
    </message>
</context>
<context>
    <name>Figure</name>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>Aktivierungen</translation>
    </message>
    <message>
        <source>of %1, by kind</source>
        <translation>von %1, nach Art</translation>
    </message>
    <message>
        <source>of %1, in micro-batches</source>
        <translation>von %1, in Micro-Batches</translation>
    </message>
    <message>
        <source>limit %1</source>
        <translation>Grenze %1</translation>
    </message>
    <message>
        <source>Bubble</source>
        <translation>Bubble</translation>
    </message>
    <message>
        <source>idle part of the makespan (wall) and of the device&apos;s own span</source>
        <translation>Leerlauf als Anteil der Gesamtdauer (Wall) und der eigenen Spanne des Geräts (Span)</translation>
    </message>
    <message>
        <source>device %1</source>
        <translation>Gerät %1</translation>
    </message>
    <message>
        <source>the picture would have %1 × %2 pixels; 200 million in all and 32000 on a side are the most. A smaller resolution or width, or SVG and PDF, have no such limit</source>
        <translation>das Bild hätte %1 × %2 Pixel; höchstens 200 Millionen insgesamt und 32000 je Seite. Kleinere Auflösung oder Breite hilft; SVG und PDF haben keine solche Grenze</translation>
    </message>
    <message>
        <source>there is not enough memory for the picture</source>
        <translation>für das Bild ist zu wenig Speicher da</translation>
    </message>
    <message>
        <source>Qt cannot write PNG here</source>
        <translation>Qt kann hier kein PNG schreiben</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>Forward</translation>
    </message>
    <message>
        <source>backward for the input</source>
        <translation>Backward der Eingabe</translation>
    </message>
    <message>
        <source>backward for the weights</source>
        <translation>Backward der Gewichte</translation>
    </message>
    <message>
        <source>backward, both</source>
        <translation>Backward, beides</translation>
    </message>
    <message>
        <source>recompute</source>
        <translation>Neuberechnung</translation>
    </message>
    <message>
        <source>update</source>
        <translation>Update</translation>
    </message>
    <message>
        <source>full to light: first to last chunk of a device</source>
        <translation>kräftig bis hell: erster bis letzter Chunk eines Geräts</translation>
    </message>
    <message>
        <source>back from the host&apos;s memory</source>
        <translation>aus dem Speicher des Hosts zurück</translation>
    </message>
    <message>
        <source>to the host&apos;s memory</source>
        <translation>in den Speicher des Hosts</translation>
    </message>
    <message>
        <source>idle</source>
        <translation>Stillstand</translation>
    </message>
    <message>
        <source>makespan %1 · span bubble %2 · wall bubble %3 · peak activation %4</source>
        <translation>Gesamtdauer %1 · Span-Bubble %2 · Wall-Bubble %3 · Spitze der Aktivierungen %4</translation>
    </message>
    <message>
        <source> · peak memory %1</source>
        <translation> · Speicherspitze %1</translation>
    </message>
</context>
<context>
    <name>Film</name>
    <message>
        <source>%1 of micro-batch %2 on stage %3</source>
        <translation>%1 von Micro-Batch %2 auf Stufe %3</translation>
    </message>
</context>
<context>
    <name>Glossary</name>
    <message>
        <source>en</source>
        <extracomment>The code of the language that this is translated into.</extracomment>
        <translation>de</translation>
    </message>
</context>
<context>
    <name>Goals</name>
    <message>
        <source>every pass in place, no deadlock</source>
        <translation>jeder Durchlauf an seinem Platz, kein Deadlock</translation>
    </message>
    <message>
        <source>makespan at most %1</source>
        <translation>Gesamtdauer höchstens %1</translation>
    </message>
    <message>
        <source>peak activation at most %1 mb</source>
        <translation>Aktivierungsspitze höchstens %1 mb</translation>
    </message>
    <message>
        <source>span bubble at most %1</source>
        <translation>Span-Bubble höchstens %1</translation>
    </message>
    <message>
        <source>wall bubble at most %1</source>
        <translation>Wall-Bubble höchstens %1</translation>
    </message>
    <message>
        <source>at most %1 messages</source>
        <translation>höchstens %1 Nachrichten</translation>
    </message>
    <message>
        <source>weight versions on a device at most %1</source>
        <translation>Gewichtsversionen auf einem Gerät höchstens %1</translation>
    </message>
    <message>
        <source>at most %1 micro-batches</source>
        <translation>höchstens %1 Micro-Batches</translation>
    </message>
    <message>
        <source>the order of %1</source>
        <translation>die Reihenfolge von %1</translation>
    </message>
    <message>
        <source>the order that is drawn</source>
        <translation>die gezeichnete Reihenfolge</translation>
    </message>
    <message>
        <source>interval at most %1, no collision</source>
        <translation>Intervall höchstens %1, keine Kollision</translation>
    </message>
    <message>
        <source>peak of the repeated block at most %1 mb</source>
        <translation>Spitze des wiederholten Bausteins höchstens %1 mb</translation>
    </message>
    <message>
        <source>weights gathered at most %1 times</source>
        <translation>Gewichte höchstens %1-mal eingesammelt</translation>
    </message>
</context>
<context>
    <name>Handout</name>
    <message>
        <source>Predict:</source>
        <translation>Vorhersagen:</translation>
    </message>
    <message>
        <source>Level %1.</source>
        <translation>Level %1.</translation>
    </message>
    <message>
        <source>Goal: %1</source>
        <translation>Ziel: %1</translation>
    </message>
    <message>
        <source>Draw your order. F, B and W have their lengths on the ruler.</source>
        <translation>Die eigene Reihenfolge zeichnen. Die Längen von F, B und W zeigt das Lineal.</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>%1 %2, par %3</source>
        <translation>%1 %2, Par %3</translation>
    </message>
    <message>
        <source>Level %1. One solution: %2.</source>
        <translation>Level %1. Eine Lösung: %2.</translation>
    </message>
    <message>
        <source>Solutions: %1</source>
        <translation>Lösungen: %1</translation>
    </message>
    <message>
        <source>%1 · %2 of %3</source>
        <translation>%1 · %2 von %3</translation>
    </message>
    <message>
        <source>Draw your block, a unit in each millisecond of the ruler.</source>
        <translation>Zeichne deinen Baustein, eine Einheit in jeder Millisekunde des Lineals.</translation>
    </message>
    <message>
        <source>This is how it stands.</source>
        <translation>So steht es.</translation>
    </message>
</context>
<context>
    <name>InspectorPanel</name>
    <message>
        <source>Span bubble</source>
        <translation>Span-Bubble</translation>
    </message>
    <message>
        <source>Wall bubble</source>
        <translation>Wall-Bubble</translation>
    </message>
    <message>
        <source>Makespan</source>
        <translation>Gesamtdauer</translation>
    </message>
    <message>
        <source>Weight versions</source>
        <translation>Gewichtsversionen</translation>
    </message>
    <message>
        <source>= simulated</source>
        <translation>= simuliert</translation>
    </message>
    <message>
        <source>simulated %1</source>
        <translation>simuliert %1</translation>
    </message>
    <message>
        <source>as published: %1</source>
        <translation>wie veröffentlicht: %1</translation>
    </message>
    <message>
        <source> (%1)</source>
        <translation> (%1)</translation>
    </message>
    <message>
        <source>Formula</source>
        <translation>Formel</translation>
    </message>
    <message>
        <source>is for equal stages</source>
        <translation>gilt für gleiche Stufen</translation>
    </message>
    <message>
        <source>holds for other costs</source>
        <translation>gilt für andere Kosten</translation>
    </message>
    <message>
        <source>as %1</source>
        <translation>wie %1</translation>
    </message>
    <message>
        <source>%1 less</source>
        <translation>%1 weniger</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 mehr</translation>
    </message>
    <message>
        <source>most activation of %1 on a device</source>
        <translation>meiste Aktivierung von %1 auf einem Gerät</translation>
    </message>
    <message>
        <source>%1 of %2 %3</source>
        <translation>%1 von %2 %3</translation>
    </message>
    <message>
        <source>1F1B</source>
        <translation>1F1B</translation>
    </message>
    <message>
        <source>Lower bound</source>
        <translation>Untere Schranke</translation>
    </message>
    <message>
        <source>with the same work</source>
        <translation>bei gleicher Arbeit</translation>
    </message>
    <message>
        <source>met</source>
        <translation>erreicht</translation>
    </message>
    <message>
        <source>%1 above</source>
        <translation>%1 darüber</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>its memory</source>
        <translation>sein Speicher</translation>
    </message>
    <message>
        <source>it</source>
        <translation>er</translation>
    </message>
    <message>
        <source>Throughput</source>
        <translation>Durchsatz</translation>
    </message>
    <message>
        <source>%1 micro-batches/s</source>
        <translation>%1 Micro-Batches/s</translation>
    </message>
    <message>
        <source>%1 × 1F1B</source>
        <translation>%1 × 1F1B</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>%1 tokens/s</source>
        <translation>%1 Tokens/s</translation>
    </message>
    <message>
        <source>over %1 replicas</source>
        <translation>über %1 Replikate</translation>
    </message>
    <message>
        <source>Utilisation</source>
        <translation>Auslastung</translation>
    </message>
    <message>
        <source>of the peak rate, MFU</source>
        <translation>der Spitzenleistung, MFU</translation>
    </message>
    <message>
        <source>makespan %1</source>
        <translation>Gesamtdauer %1</translation>
    </message>
    <message>
        <source>span bubble %1</source>
        <translation>Span-Bubble %1</translation>
    </message>
    <message>
        <source>wall bubble %1</source>
        <translation>Wall-Bubble %1</translation>
    </message>
    <message>
        <source>peak %1</source>
        <translation>Spitze %1</translation>
    </message>
    <message>
        <source>%1 so far</source>
        <translation>%1 bisher</translation>
    </message>
    <message>
        <source>%1 missing or wrong</source>
        <translation>%1 fehlen oder sind falsch</translation>
    </message>
    <message>
        <source>%1, simulated in %2</source>
        <translation>%1, simuliert in %2</translation>
    </message>
    <message>
        <source>as long</source>
        <translation>gleich lang</translation>
    </message>
    <message>
        <source>%1 shorter</source>
        <translation>%1 kürzer</translation>
    </message>
    <message>
        <source>%1 longer</source>
        <translation>%1 länger</translation>
    </message>
    <message>
        <source>Waited for</source>
        <translation>Wartete auf</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>%1 of stage %2 on device %3</source>
        <translation>%1 von Stufe %2 auf Gerät %3</translation>
    </message>
    <message>
        <source>and %1 for its message</source>
        <translation>und %1 auf die Nachricht</translation>
    </message>
    <message>
        <source>its device, busy with %1</source>
        <translation>sein Gerät, beschäftigt mit %1</translation>
    </message>
    <message>
        <source>Frees</source>
        <translation>Gibt frei</translation>
    </message>
    <message>
        <source>Holds</source>
        <translation>Hält</translation>
    </message>
    <message>
        <source>until %1</source>
        <translation>bis %1</translation>
    </message>
    <message>
        <source>%1 held for W</source>
        <translation>%1 gehalten für W</translation>
    </message>
    <message>
        <source> until %1</source>
        <translation> bis %1</translation>
    </message>
    <message>
        <source>%1 on device %2</source>
        <translation>%1 auf Gerät %2</translation>
    </message>
    <message>
        <source>missing: %1</source>
        <translation>fehlt: %1</translation>
    </message>
    <message>
        <source>Least slack</source>
        <translation>Kleinster Puffer</translation>
    </message>
    <message>
        <source>Slack</source>
        <translation>Puffer</translation>
    </message>
    <message>
        <source> · on the critical path</source>
        <translation> · auf dem kritischen Pfad</translation>
    </message>
    <message>
        <source> · stage %1</source>
        <translation> · Stufe %1</translation>
    </message>
    <message>
        <source> · route %1</source>
        <translation> · Route %1</translation>
    </message>
    <message>
        <source> · chunk %1</source>
        <translation> · Chunk %1</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>Durchlauf</translation>
    </message>
    <message>
        <source>Beside</source>
        <translation>Daneben</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Start – end</source>
        <translation>Beginn – Ende</translation>
    </message>
    <message>
        <source>Takes</source>
        <translation>Dauert</translation>
    </message>
    <message>
        <source>known once every pass has its place</source>
        <translation>bekannt, sobald jeder Durchlauf seinen Platz hat</translation>
    </message>
    <message>
        <source>Problem</source>
        <translation>Problem</translation>
    </message>
    <message>
        <source>Passes</source>
        <translation>Durchläufe</translation>
    </message>
    <message>
        <source>Micro-batches</source>
        <translation>Micro-Batches</translation>
    </message>
    <message>
        <source>Devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>From – to</source>
        <translation>Von – bis</translation>
    </message>
    <message>
        <source>Work</source>
        <translation>Arbeit</translation>
    </message>
    <message>
        <source>knows no copies to the host</source>
        <translation>kennt keine Kopien zum Host</translation>
    </message>
    <message>
        <source>needs more memory</source>
        <translation>braucht mehr Speicher</translation>
    </message>
    <message>
        <source>deadlock: no makespan</source>
        <translation>Deadlock: keine Gesamtdauer</translation>
    </message>
    <message>
        <source>peak %1 of %2</source>
        <translation>Spitze %1 von %2</translation>
    </message>
    <message>
        <source>Peak activation</source>
        <translation>Aktivierungsspitze</translation>
    </message>
    <message>
        <source>%1 on the fullest device here: %2</source>
        <translation>%1 auf dem vollsten Gerät hier: %2</translation>
    </message>
    <message>
        <source>Activations</source>
        <translation>Aktivierungen</translation>
    </message>
    <message>
        <source>its activations</source>
        <translation>seine Aktivierungen</translation>
    </message>
    <message>
        <source>%1, memory %2</source>
        <translation>%1, Speicher %2</translation>
    </message>
</context>
<context>
    <name>JobPage</name>
    <message>
        <source>Job</source>
        <translation>Job</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Ränge</translation>
    </message>
    <message>
        <source>Pipelines</source>
        <translation>Pipelines</translation>
    </message>
    <message>
        <source>Micro-batches</source>
        <translation>Micro-Batches</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>%1 of them warm-up</source>
        <translation>davon %1 Aufwärmen</translation>
    </message>
    <message>
        <source>Median step</source>
        <translation>Schritt im Median</translation>
    </message>
    <message>
        <source>Step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>What it is worth</source>
        <translation>Was es taugt</translation>
    </message>
    <message>
        <source>Parallel efficiency</source>
        <translation>Parallele Effizienz</translation>
    </message>
    <message>
        <source>computing ÷ ranks × step</source>
        <translation>Rechnen ÷ Ränge × Schritt</translation>
    </message>
    <message>
        <source>Replicas</source>
        <translation>Replikate</translation>
    </message>
    <message>
        <source>mean pipeline ÷ step</source>
        <translation>mittlere Pipeline ÷ Schritt</translation>
    </message>
    <message>
        <source>Stages</source>
        <translation>Stufen</translation>
    </message>
    <message>
        <source>mean ÷ largest work</source>
        <translation>mittlere ÷ größte Arbeit</translation>
    </message>
    <message>
        <source>Order</source>
        <translation>Reihenfolge</translation>
    </message>
    <message>
        <source>largest work ÷ free links</source>
        <translation>größte Arbeit ÷ freie Verbindungen</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>Verbindungen</translation>
    </message>
    <message>
        <source>free links ÷ measured</source>
        <translation>freie Verbindungen ÷ gemessen</translation>
    </message>
    <message>
        <source>Selected</source>
        <translation>Ausgewählt</translation>
    </message>
    <message>
        <source>No worker. Click one on the map, or a pass in the lanes.</source>
        <translation>Kein Worker. Klicken Sie auf einen in der Karte oder auf einen Durchlauf in den Spuren.</translation>
    </message>
    <message>
        <source>Worker</source>
        <translation>Worker</translation>
    </message>
    <message>
        <source>stage %1 of replica %2</source>
        <translation>Stufe %1 von Replikat %2</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>Process</source>
        <translation>Prozess</translation>
    </message>
    <message>
        <source>%1 × its replicas</source>
        <translation>%1 × seine Replikate</translation>
    </message>
    <message>
        <source>F, median</source>
        <translation>F, Median</translation>
    </message>
    <message>
        <source>Backward, median</source>
        <translation>Rückwärts, Median</translation>
    </message>
    <message>
        <source>%1 of %2, %3</source>
        <translation>%1 mit %2, %3</translation>
    </message>
    <message>
        <source>A slow worker</source>
        <translation>Ein langsamer Worker</translation>
    </message>
    <message>
        <source>A heavy stage</source>
        <translation>Eine schwere Stufe</translation>
    </message>
    <message>
        <source>Uneven micro-batches</source>
        <translation>Ungleiche Micro-Batches</translation>
    </message>
    <message>
        <source>A slow link</source>
        <translation>Eine langsame Verbindung</translation>
    </message>
    <message>
        <source>A slow step</source>
        <translation>Ein langsamer Schritt</translation>
    </message>
    <message>
        <source>A late host</source>
        <translation>Ein später Host</translation>
    </message>
    <message>
        <source>Warm-up</source>
        <translation>Aufwärmen</translation>
    </message>
    <message>
        <source>Passes against the median</source>
        <translation>Durchläufe gegen den Median</translation>
    </message>
    <message>
        <source>Time in F</source>
        <translation>Zeit in F</translation>
    </message>
    <message>
        <source>Time in backward passes</source>
        <translation>Zeit in Rückwärtsdurchläufen</translation>
    </message>
    <message>
        <source>Time without a pass</source>
        <translation>Zeit ohne Durchlauf</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>Höchster Speicher</translation>
    </message>
    <message>
        <source>Causes</source>
        <translation>Ursachen</translation>
    </message>
    <message>
        <source>Regular slow steps</source>
        <translation>Regelmäßig langsame Schritte</translation>
    </message>
    <message>
        <source>The order waits</source>
        <translation>Die Reihenfolge wartet</translation>
    </message>
</context>
<context>
    <name>Lanes</name>
    <message>
        <source>stage %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source>stages %1</source>
        <translation>Stufen %1</translation>
    </message>
    <message>
        <source>device %1</source>
        <translation>Gerät %1</translation>
    </message>
</context>
<context>
    <name>LessonWords</name>
    <message>
        <source>%1 mb</source>
        <translation>%1 mb</translation>
    </message>
    <message>
        <source>device %1</source>
        <translation>Gerät %1</translation>
    </message>
    <message>
        <source>forwards first</source>
        <translation>Forwards zuerst</translation>
    </message>
    <message>
        <source>W where a device would wait</source>
        <translation>W, wo ein Gerät warten würde</translation>
    </message>
    <message>
        <source>backwards first</source>
        <translation>Backwards zuerst</translation>
    </message>
    <message>
        <source>%1 so far</source>
        <translation>bisher %1</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>not yet</source>
        <translation>noch nicht</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Choose one of the schedules of this level.</source>
        <translation>Einen der Ablaufpläne dieses Levels wählen.</translation>
    </message>
    <message>
        <source>This schedule is not among those of the level.</source>
        <translation>Dieser Ablaufplan ist keiner von denen des Levels.</translation>
    </message>
    <message>
        <source>The times of the passes have changed; they are locked here.</source>
        <translation>Die Zeiten der Durchläufe haben sich geändert; sie sind hier gesperrt.</translation>
    </message>
    <message>
        <source>Devices and stages have changed; they are locked here.</source>
        <translation>Geräte und Stufen haben sich geändert; sie sind hier gesperrt.</translation>
    </message>
    <message>
        <source>The number of micro-batches has changed; it is locked here.</source>
        <translation>Die Zahl der Micro-Batches hat sich geändert; sie ist hier gesperrt.</translation>
    </message>
    <message>
        <source>The first passes of %1 are locked here.</source>
        <translation>Die ersten Durchläufe von %1 sind hier gesperrt.</translation>
    </message>
    <message>
        <source>%1 is not a pass of this level.</source>
        <translation>%1 ist kein Durchlauf dieses Levels.</translation>
    </message>
    <message>
        <source>The block of this level is gone.</source>
        <translation>Der Block dieses Levels ist weg.</translation>
    </message>
    <message>
        <source>Passes of the block have changed; only their places are free here.</source>
        <translation>Durchläufe des Blocks haben sich geändert; hier sind nur ihre Plätze frei.</translation>
    </message>
    <message>
        <source>Two passes meet: %1.</source>
        <translation>Zwei Durchläufe treffen aufeinander: %1.</translation>
    </message>
    <message>
        <source>The order is not one that passes can be added to.</source>
        <translation>An diese Reihenfolge lassen sich keine Durchläufe anfügen.</translation>
    </message>
    <message>
        <source>Micro-batch %1 is complete.</source>
        <translation>Micro-Batch %1 ist vollständig.</translation>
    </message>
    <message>
        <source>Micro-batch %1 was complete.</source>
        <translation>Micro-Batch %1 war schon vollständig.</translation>
    </message>
    <message>
        <source>%1 cannot come yet: the goal on the peak, or what it waits for, stands in its way.</source>
        <translation>%1 kann noch nicht kommen: Das Ziel für die Spitze, oder worauf es wartet, steht im Weg.</translation>
    </message>
    <message>
        <source>Every pass has its place.</source>
        <translation>Jeder Durchlauf hat seinen Platz.</translation>
    </message>
    <message>
        <source>No pass can come next within the goals.</source>
        <translation>Innerhalb der Ziele kann kein Durchlauf als nächster kommen.</translation>
    </message>
    <message>
        <source>A choice: %1 can run %2 or %3 next.</source>
        <translation>Eine Wahl: %1 kann als Nächstes %2 oder %3 ausführen.</translation>
    </message>
    <message>
        <source>Many passes were placed; ask again to go on.</source>
        <translation>Viele Durchläufe wurden gesetzt; für mehr noch einmal fragen.</translation>
    </message>
    <message>
        <source>%1 at the end of %2</source>
        <translation>%1 ans Ende von %2</translation>
    </message>
    <message>
        <source>%1 at place %2 of %3</source>
        <translation>%1 an Platz %2 von %3</translation>
    </message>
    <message>
        <source>entry %1 of %2 to place %3</source>
        <translation>Eintrag %1 von %2 an Platz %3</translation>
    </message>
    <message>
        <source>entry %1 of %2 goes</source>
        <translation>Eintrag %1 von %2 entfällt</translation>
    </message>
    <message>
        <source>everything goes</source>
        <translation>alles entfällt</translation>
    </message>
    <message>
        <source>the rest, %1</source>
        <translation>der Rest, %1</translation>
    </message>
    <message>
        <source>warm-up and cool-down reordered</source>
        <translation>Anlauf und Auslauf umgeordnet</translation>
    </message>
    <message>
        <source>%1 earlier by %2</source>
        <translation>%1 um %2 früher</translation>
    </message>
    <message>
        <source>%1 later by %2</source>
        <translation>%1 um %2 später</translation>
    </message>
    <message>
        <source>interval %1</source>
        <translation>Intervall %1</translation>
    </message>
    <message>
        <source>every pass of the block to its place</source>
        <translation>jeder Durchlauf des Blocks an seinen Platz</translation>
    </message>
    <message>
        <source>the block for %1</source>
        <translation>der Block für %1</translation>
    </message>
    <message>
        <source>Shown, not solved: it counts for nothing.</source>
        <translation>Gezeigt, nicht gelöst: Das zählt nicht.</translation>
    </message>
    <message>
        <source>Solved.</source>
        <translation>Gelöst.</translation>
    </message>
    <message>
        <source>Solved, medals: %1</source>
        <translation>Gelöst, Medaillen: %1</translation>
    </message>
    <message>
        <source>The order of the passes has changed; it is locked here.</source>
        <translation>Die Reihenfolge der Durchläufe hat sich geändert; hier ist sie fest.</translation>
    </message>
    <message>
        <source>a layer from stage %1 to stage %2</source>
        <translation>eine Schicht von Stufe %1 zu Stufe %2</translation>
    </message>
    <message>
        <source>Stage %1: %2</source>
        <translation>Stufe %1: %2</translation>
    </message>
    <message>
        <source>A message: %1</source>
        <translation>Eine Nachricht: %1</translation>
    </message>
</context>
<context>
    <name>PaletteDrop</name>
    <message>
        <source>block %1</source>
        <translation>Baustein %1</translation>
    </message>
    <message>
        <source>%1 block</source>
        <translation>Baustein %1</translation>
    </message>
    <message>
        <source>next micro-batch, interval %1</source>
        <translation>nächster Micro-Batch, Intervall %1</translation>
    </message>
    <message>
        <source>next %1 micro-batches, interval %2</source>
        <translation>nächste %1 Micro-Batches, Intervall %2</translation>
    </message>
    <message>
        <source>; the schedule grows from %1 to %2</source>
        <translation>; der Ablaufplan wächst von %1 auf %2</translation>
    </message>
    <message>
        <source>; its stages are placed as in the block</source>
        <translation>; seine Stufen werden wie im Baustein platziert</translation>
    </message>
    <message>
        <source>Place %1</source>
        <translation>%1 platzieren</translation>
    </message>
    <message>
        <source>Every F of device %1 is there already.</source>
        <translation>Jedes F von Gerät %1 ist schon da.</translation>
    </message>
    <message>
        <source>Device %1 has no F that still waits for its backward.</source>
        <translation>Gerät %1 hat kein F, das noch auf sein Backward wartet.</translation>
    </message>
    <message>
        <source>Device %1 has no B that still waits for its W.</source>
        <translation>Gerät %1 hat kein B, das noch auf sein W wartet.</translation>
    </message>
    <message>
        <source>Every update of device %1 is there already.</source>
        <translation>Jedes Update von Gerät %1 ist schon da.</translation>
    </message>
    <message>
        <source>This schedule has no optimizer updates.</source>
        <translation>Dieser Ablaufplan hat keine Optimierer-Updates.</translation>
    </message>
    <message>
        <source>There is no pass %1.</source>
        <translation>Einen Durchlauf %1 gibt es nicht.</translation>
    </message>
    <message>
        <source>A pass goes onto a device: hold it over a lane.</source>
        <translation>Ein Durchlauf gehört auf ein Gerät: über eine Spur halten.</translation>
    </message>
    <message>
        <source>The project has no block %1.</source>
        <translation>Das Projekt hat keinen Baustein %1.</translation>
    </message>
    <message>
        <source>%1 has no building block.</source>
        <translation>%1 hat keinen Baustein.</translation>
    </message>
    <message>
        <source>; the costs by stage become their mean</source>
        <translation>; aus den Kosten je Stufe wird ihr Mittel</translation>
    </message>
    <message>
        <source>; computed after the drop</source>
        <translation>; wird nach dem Ablegen berechnet</translation>
    </message>
    <message>
        <source>%1 for %2 on %3%4</source>
        <translation>%1 für %2 auf %3%4</translation>
    </message>
    <message>
        <source>A heading cannot be placed.</source>
        <translation>Eine Überschrift lässt sich nicht platzieren.</translation>
    </message>
</context>
<context>
    <name>PassQuery</name>
    <message>
        <source>“%1” is not a pass and not a word that is known here. Try F3, BW2.1, mb 3, stage 2 or device 1.</source>
        <translation>„%1“ ist kein Durchlauf und kein bekanntes Wort. Etwa F3, BW2.1, mb 3, stage 2 oder device 1.</translation>
    </message>
</context>
<context>
    <name>PlanPage</name>
    <message>
        <source>family</source>
        <translation>Familie</translation>
    </message>
    <message>
        <source>degrees</source>
        <translation>Grade</translation>
    </message>
    <message>
        <source>Pipeline, tensor, data, context and expert parallel</source>
        <translation>Pipeline-, Tensor-, Daten-, Kontext- und Experten-parallel</translation>
    </message>
    <message>
        <source>size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Samples of a micro-batch</source>
        <translation>Proben in einem Micro-Batch</translation>
    </message>
    <message>
        <source>m</source>
        <translation>m</translation>
    </message>
    <message>
        <source>Micro-batches of a replica</source>
        <translation>Micro-Batches eines Replikats</translation>
    </message>
    <message>
        <source>v</source>
        <translation>v</translation>
    </message>
    <message>
        <source>Chunks of a device</source>
        <translation>Chunks eines Geräts</translation>
    </message>
    <message>
        <source>recompute</source>
        <translation>Neuberechnung</translation>
    </message>
    <message>
        <source>iteration</source>
        <translation>Iteration</translation>
    </message>
    <message>
        <source>tokens/s</source>
        <translation>Token/s</translation>
    </message>
    <message>
        <source>MFU</source>
        <translation>MFU</translation>
    </message>
    <message>
        <source>The model&apos;s operations over what the devices&apos; peak would do</source>
        <translation>Operationen des Modells im Verhältnis zur Spitzenleistung der Geräte</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>Memory of the fullest device</source>
        <translation>Speicher des vollsten Geräts</translation>
    </message>
    <message>
        <source>bubble</source>
        <translation>Bubble</translation>
    </message>
    <message>
        <source>Idle part of the pipeline&apos;s time, over all devices</source>
        <translation>Leerlauf-Anteil an der Zeit der Pipeline, über alle Geräte</translation>
    </message>
    <message>
        <source>comm.</source>
        <translation>Komm.</translation>
    </message>
    <message>
        <source>Messages and collectives of the busiest device</source>
        <translation>Nachrichten und kollektive Operationen des am meisten belasteten Geräts</translation>
    </message>
    <message>
        <source>why not</source>
        <translation>warum nicht</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Layers of the stages, equal neighbours together</source>
        <translation>Schichten der Stufen, gleiche Nachbarn zusammengefasst</translation>
    </message>
    <message>
        <source>Plans</source>
        <translation>Pläne</translation>
    </message>
    <message>
        <source> ms</source>
        <translation> ms</translation>
    </message>
    <message>
        <source>%1, offload %2</source>
        <translation>%1, ausgelagert %2</translation>
    </message>
    <message>
        <source> GiB</source>
        <translation> GiB</translation>
    </message>
    <message>
        <source>Kinds of accelerators</source>
        <translation>Arten von Beschleunigern</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>ranks %1 to %2</source>
        <translation>Ränge %1 bis %2</translation>
    </message>
    <message>
        <source>%1 of %2 GiB</source>
        <translation>%1 von %2 GiB</translation>
    </message>
    <message>
        <source>What the iteration takes</source>
        <translation>Wohin die Zeit der Iteration geht</translation>
    </message>
    <message>
        <source>all</source>
        <translation>gesamt</translation>
    </message>
    <message>
        <source>What rank %1 holds</source>
        <translation>Was Rang %1 hält</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>further versions</source>
        <translation>weitere Fassungen</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>Gradienten</translation>
    </message>
    <message>
        <source>optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>Aktivierungen</translation>
    </message>
    <message>
        <source>working</source>
        <translation>Zwischenwerte</translation>
    </message>
    <message>
        <source>buffers</source>
        <translation>Puffer</translation>
    </message>
    <message>
        <source>fragments</source>
        <translation>Fragmente</translation>
    </message>
    <message>
        <source>Why</source>
        <translation>Warum</translation>
    </message>
    <message>
        <source>Layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>Why not the second</source>
        <translation>Warum nicht die zweite</translation>
    </message>
    <message>
        <source>What would help</source>
        <translation>Was helfen würde</translation>
    </message>
    <message>
        <source>engines</source>
        <translation>Engines</translation>
    </message>
    <message>
        <source>That make this order themselves; PyTorch takes any</source>
        <translation>Die diese Ordnung selbst machen; PyTorch nimmt jede</translation>
    </message>
</context>
<context>
    <name>Plural</name>
    <message numerus="yes">
        <source>%1 block</source>
        <translation>
            <numerusform>%1 Baustein</numerusform>
            <numerusform>%1 Bausteine</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 blocks</source>
        <translation>
            <numerusform>%1 Baustein</numerusform>
            <numerusform>%1 Bausteine</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 chunk</source>
        <translation>
            <numerusform>%1 Chunk</numerusform>
            <numerusform>%1 Chunks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 chunks</source>
        <translation>
            <numerusform>%1 Chunk</numerusform>
            <numerusform>%1 Chunks</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 collision</source>
        <translation>
            <numerusform>%1 Kollision</numerusform>
            <numerusform>%1 Kollisionen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 collisions</source>
        <translation>
            <numerusform>%1 Kollision</numerusform>
            <numerusform>%1 Kollisionen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 column</source>
        <translation>
            <numerusform>%1 Spalte</numerusform>
            <numerusform>%1 Spalten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 columns</source>
        <translation>
            <numerusform>%1 Spalte</numerusform>
            <numerusform>%1 Spalten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 core</source>
        <translation>
            <numerusform>%1 Kern</numerusform>
            <numerusform>%1 Kerne</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 cores</source>
        <translation>
            <numerusform>%1 Kern</numerusform>
            <numerusform>%1 Kerne</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 device</source>
        <translation>
            <numerusform>%1 Gerät</numerusform>
            <numerusform>%1 Geräte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 devices</source>
        <translation>
            <numerusform>%1 Gerät</numerusform>
            <numerusform>%1 Geräte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 GPU</source>
        <translation>
            <numerusform>%1 GPU</numerusform>
            <numerusform>%1 GPUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 GPUs</source>
        <translation>
            <numerusform>%1 GPU</numerusform>
            <numerusform>%1 GPUs</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 iteration</source>
        <translation>
            <numerusform>%1 Iteration</numerusform>
            <numerusform>%1 Iterationen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 iterations</source>
        <translation>
            <numerusform>%1 Iteration</numerusform>
            <numerusform>%1 Iterationen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 layer</source>
        <translation>
            <numerusform>%1 Schicht</numerusform>
            <numerusform>%1 Schichten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 layers</source>
        <translation>
            <numerusform>%1 Schicht</numerusform>
            <numerusform>%1 Schichten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 line</source>
        <translation>
            <numerusform>%1 Zeile</numerusform>
            <numerusform>%1 Zeilen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 lines</source>
        <translation>
            <numerusform>%1 Zeile</numerusform>
            <numerusform>%1 Zeilen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 link</source>
        <translation>
            <numerusform>%1 Leitung</numerusform>
            <numerusform>%1 Leitungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 links</source>
        <translation>
            <numerusform>%1 Leitung</numerusform>
            <numerusform>%1 Leitungen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 memory limit</source>
        <translation>
            <numerusform>%1 Speichergrenze</numerusform>
            <numerusform>%1 Speichergrenzen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 memory limits</source>
        <translation>
            <numerusform>%1 Speichergrenze</numerusform>
            <numerusform>%1 Speichergrenzen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 micro-batch</source>
        <translation>
            <numerusform>%1 Micro-Batch</numerusform>
            <numerusform>%1 Micro-Batches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 micro-batches</source>
        <translation>
            <numerusform>%1 Micro-Batch</numerusform>
            <numerusform>%1 Micro-Batches</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 pass</source>
        <translation>
            <numerusform>%1 Durchlauf</numerusform>
            <numerusform>%1 Durchläufe</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 passes</source>
        <translation>
            <numerusform>%1 Durchlauf</numerusform>
            <numerusform>%1 Durchläufe</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 phase</source>
        <translation>
            <numerusform>%1 Phase</numerusform>
            <numerusform>%1 Phasen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 phases</source>
        <translation>
            <numerusform>%1 Phase</numerusform>
            <numerusform>%1 Phasen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 problem</source>
        <translation>
            <numerusform>%1 Problem</numerusform>
            <numerusform>%1 Probleme</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 problems</source>
        <translation>
            <numerusform>%1 Problem</numerusform>
            <numerusform>%1 Probleme</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 rank</source>
        <translation>
            <numerusform>%1 Rang</numerusform>
            <numerusform>%1 Ränge</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 ranks</source>
        <translation>
            <numerusform>%1 Rang</numerusform>
            <numerusform>%1 Ränge</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 replica</source>
        <translation>
            <numerusform>%1 Replikat</numerusform>
            <numerusform>%1 Replikate</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 replicas</source>
        <translation>
            <numerusform>%1 Replikat</numerusform>
            <numerusform>%1 Replikate</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 run</source>
        <translation>
            <numerusform>%1 Lauf</numerusform>
            <numerusform>%1 Läufe</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 runs</source>
        <translation>
            <numerusform>%1 Lauf</numerusform>
            <numerusform>%1 Läufe</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 segment</source>
        <translation>
            <numerusform>%1 Segment</numerusform>
            <numerusform>%1 Segmente</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 segments</source>
        <translation>
            <numerusform>%1 Segment</numerusform>
            <numerusform>%1 Segmente</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 stage</source>
        <translation>
            <numerusform>%1 Stufe</numerusform>
            <numerusform>%1 Stufen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 stages</source>
        <translation>
            <numerusform>%1 Stufe</numerusform>
            <numerusform>%1 Stufen</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 optimizer step</source>
        <translation>
            <numerusform>%1 Optimierer-Schritt</numerusform>
            <numerusform>%1 Optimierer-Schritte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 optimizer steps</source>
        <translation>
            <numerusform>%1 Optimierer-Schritt</numerusform>
            <numerusform>%1 Optimierer-Schritte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 unit</source>
        <translation>
            <numerusform>%1 Einheit</numerusform>
            <numerusform>%1 Einheiten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 units</source>
        <translation>
            <numerusform>%1 Einheit</numerusform>
            <numerusform>%1 Einheiten</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 switch</source>
        <translation>
            <numerusform>%1 Wechsel</numerusform>
            <numerusform>%1 Wechsel</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 switches</source>
        <translation>
            <numerusform>%1 Wechsel</numerusform>
            <numerusform>%1 Wechsel</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 slice</source>
        <translation>
            <numerusform>%1 Abschnitt</numerusform>
            <numerusform>%1 Abschnitt</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 slices</source>
        <translation>
            <numerusform>%1 Abschnitte</numerusform>
            <numerusform>%1 Abschnitte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 step</source>
        <translation>
            <numerusform>%1 Schritt</numerusform>
            <numerusform>%1 Schritte</numerusform>
        </translation>
    </message>
    <message numerus="yes">
        <source>%1 steps</source>
        <translation>
            <numerusform>%1 Schritt</numerusform>
            <numerusform>%1 Schritte</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>QAbstractFileIconProvider</name>
    <message>
        <source>Folder</source>
        <translation>Ordner</translation>
    </message>
    <message>
        <source>Drive</source>
        <translation>Laufwerk</translation>
    </message>
</context>
<context>
    <name>QAbstractSpinBox</name>
    <message>
        <source>&amp;Select All</source>
        <translation>&amp;Alles auswählen</translation>
    </message>
    <message>
        <source>&amp;Step up</source>
        <translation>&amp;Erhöhen</translation>
    </message>
    <message>
        <source>Step &amp;down</source>
        <translation>&amp;Verringern</translation>
    </message>
</context>
<context>
    <name>QFileDialog</name>
    <message>
        <source>Look in:</source>
        <translation>Suchen in:</translation>
    </message>
    <message>
        <source>Directory:</source>
        <translation>Verzeichnis:</translation>
    </message>
    <message>
        <source>File &amp;name:</source>
        <translation>Datei&amp;name:</translation>
    </message>
    <message>
        <source>Files of type:</source>
        <translation>Dateien des Typs:</translation>
    </message>
    <message>
        <source>&amp;Open</source>
        <translation>Ö&amp;ffnen</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Go back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Go forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Parent Directory</source>
        <translation>Übergeordnetes Verzeichnis</translation>
    </message>
    <message>
        <source>Create New Folder</source>
        <translation>Neuen Ordner anlegen</translation>
    </message>
    <message>
        <source>List View</source>
        <translation>Liste</translation>
    </message>
    <message>
        <source>Detail View</source>
        <translation>Einzelheiten</translation>
    </message>
</context>
<context>
    <name>QFileSystemModel</name>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>Type</source>
        <translation>Typ</translation>
    </message>
    <message>
        <source>Date Modified</source>
        <translation>Geändert am</translation>
    </message>
    <message>
        <source>Computer</source>
        <translation>Computer</translation>
    </message>
</context>
<context>
    <name>QLineEdit</name>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederherstellen</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>&amp;Ausschneiden</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>&amp;Einfügen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>Alles auswählen</translation>
    </message>
</context>
<context>
    <name>QObject</name>
    <message>
        <source>no rank</source>
        <translation>kein Rang</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>process %1</source>
        <translation>Prozess %1</translation>
    </message>
    <message>
        <source>device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>host</source>
        <translation>Host</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>angeheftet</translation>
    </message>
    <message>
        <source>… crossing</source>
        <translation>… kreuzend</translation>
    </message>
    <message>
        <source>The pattern cannot be read: %1.</source>
        <translation>Das Muster ist nicht lesbar: %1.</translation>
    </message>
    <message>
        <source>up to %1</source>
        <translation>bis %1</translation>
    </message>
</context>
<context>
    <name>QPlatformTheme</name>
    <message>
        <source>OK</source>
        <translation>OK</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>&amp;Yes</source>
        <translation>&amp;Ja</translation>
    </message>
    <message>
        <source>&amp;No</source>
        <translation>&amp;Nein</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
    <message>
        <source>Reset</source>
        <translation>Zurücksetzen</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
</context>
<context>
    <name>QShortcut</name>
    <message>
        <source>Ctrl</source>
        <translation>Strg</translation>
    </message>
    <message>
        <source>Shift</source>
        <translation>Umschalt</translation>
    </message>
    <message>
        <source>Alt</source>
        <translation>Alt</translation>
    </message>
    <message>
        <source>Space</source>
        <translation>Leertaste</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Return</source>
        <translation>Return</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>Del</source>
        <translation>Entf</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Pos1</translation>
    </message>
    <message>
        <source>End</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>Left</source>
        <translation>Links</translation>
    </message>
    <message>
        <source>Up</source>
        <translation>Hoch</translation>
    </message>
    <message>
        <source>Right</source>
        <translation>Rechts</translation>
    </message>
    <message>
        <source>Down</source>
        <translation>Runter</translation>
    </message>
</context>
<context>
    <name>QWidgetTextControl</name>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederherstellen</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>&amp;Ausschneiden</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Copy &amp;Link Location</source>
        <translation>&amp;Linkadresse kopieren</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>&amp;Einfügen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Select All</source>
        <translation>Alles auswählen</translation>
    </message>
</context>
<context>
    <name>RecentFiles</name>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
</context>
<context>
    <name>RemotePlace</name>
    <message>
        <source>&quot;%1&quot; is no name of a host: letters, digits, dots, dashes and underlines make one, and a dash is not its first</source>
        <translation>„%1“ ist kein Rechnername: Er besteht aus Buchstaben, Ziffern, Punkten, Bindestrichen und Unterstrichen, und ein Bindestrich steht nicht vorn</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no port: a number from 1 to 65535 is</source>
        <translation>„%1“ ist kein Port: Das ist eine Zahl von 1 bis 65535</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no place on another machine, which is written as ssh://host/path</source>
        <translation>„%1“ ist kein Ort auf einem anderen Rechner; ein solcher wird ssh://host/pfad geschrieben</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is no name of a person on %2</source>
        <translation>„%1“ ist kein Name einer Person auf %2</translation>
    </message>
    <message>
        <source>the path on %1 has a control character in it</source>
        <translation>der Pfad auf %1 enthält ein Steuerzeichen</translation>
    </message>
    <message>
        <source>%1 names no file on %2: one is opened at a time</source>
        <translation>%1 nennt keine Datei auf %2: Es wird eine auf einmal geöffnet</translation>
    </message>
</context>
<context>
    <name>RunCurves</name>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>reading…</source>
        <translation>wird gelesen …</translation>
    </message>
    <message>
        <source>device %1, counted from its passes: no samples</source>
        <translation>Gerät %1, aus seinen Durchläufen gezählt: keine Messpunkte</translation>
    </message>
    <message>
        <source>device %1; dashed: plan</source>
        <translation>Gerät %1; gestrichelt: Plan</translation>
    </message>
    <message>
        <source>device %1, by use</source>
        <translation>Gerät %1, nach Verwendung</translation>
    </message>
    <message>
        <source>device %1: no message was recorded</source>
        <translation>Gerät %1: keine Nachricht aufgezeichnet</translation>
    </message>
    <message>
        <source>messages on the way, device %1</source>
        <translation>Nachrichten unterwegs, Gerät %1</translation>
    </message>
    <message>
        <source>device %1, as the trace tells it</source>
        <translation>Gerät %1, wie der Trace es angibt</translation>
    </message>
</context>
<context>
    <name>RunState</name>
    <message>
        <source>not started</source>
        <translation>nicht gestartet</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>startet</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>beendet</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>gescheitert</translation>
    </message>
    <message>
        <source>lost</source>
        <translation>verloren</translation>
    </message>
</context>
<context>
    <name>ScheduleCurves</name>
    <message>
        <source>device %1</source>
        <translation>Gerät %1</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>by kind</source>
        <translation>nach Art</translation>
    </message>
    <message>
        <source>micro-batches</source>
        <translation>Micro-Batches</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>Aktivierungen</translation>
    </message>
    <message>
        <source>micro-batches, %1</source>
        <translation>Micro-Batches, %1</translation>
    </message>
    <message>
        <source>not known while passes are missing</source>
        <translation>unbekannt, solange Durchläufe fehlen</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>%1 sends nothing</source>
        <translation>%1 sendet nichts</translation>
    </message>
    <message>
        <source>%1: messages take no time</source>
        <translation>%1: Nachrichten brauchen keine Zeit</translation>
    </message>
    <message>
        <source>messages on the way, %1</source>
        <translation>Nachrichten unterwegs, %1</translation>
    </message>
    <message>
        <source>limit %1</source>
        <translation>Grenze %1</translation>
    </message>
</context>
<context>
    <name>ScheduleHover</name>
    <message>
        <source>Device %1 idles for %2</source>
        <translation>Gerät %1 steht %2 lang still</translation>
    </message>
    <message>
        <source> with %1</source>
        <translation> mit %1</translation>
    </message>
    <message>
        <source>%1, takes %2</source>
        <translation>%1, dauert %2</translation>
    </message>
    <message>
        <source>%1, %2 – %3</source>
        <translation>%1, %2 – %3</translation>
    </message>
    <message>
        <source>waits for %1, there at %2</source>
        <translation>wartet auf %1, da bei %2</translation>
    </message>
    <message>
        <source>waits for %1 of device %2, which ends at %3</source>
        <translation>wartet auf %1 von Gerät %2, das bei %3 endet</translation>
    </message>
    <message>
        <source>waits for no other pass</source>
        <translation>wartet auf keinen anderen Durchlauf</translation>
    </message>
    <message>
        <source>Never starts: %1</source>
        <translation>Beginnt nie: %1</translation>
    </message>
    <message>
        <source>device %1 idles for %2: %3</source>
        <translation>Gerät %1 steht %2 lang still: %3</translation>
    </message>
    <message>
        <source>No further pass has its place on this device.</source>
        <translation>Kein weiterer Durchlauf hat auf diesem Gerät seinen Platz.</translation>
    </message>
    <message>
        <source>%1 comes next.</source>
        <translation>Als Nächstes kommt %1.</translation>
    </message>
    <message>
        <source>%1 waits for %2 of device %3.</source>
        <translation>%1 wartet auf %2 von Gerät %3.</translation>
    </message>
    <message>
        <source>goes to the host: %1, %2</source>
        <translation>geht zum Host: %1, %2</translation>
    </message>
    <message>
        <source>comes back from the host: %1, and is waited for %2</source>
        <translation>kommt vom Host zurück: %1, und darauf wird %2 gewartet</translation>
    </message>
    <message>
        <source>comes back from the host: %1</source>
        <translation>kommt vom Host zurück: %1</translation>
    </message>
</context>
<context>
    <name>ScheduleIdentity</name>
    <message>
        <source>%1, edited</source>
        <translation>%1, bearbeitet</translation>
    </message>
    <message>
        <source>%1, improved</source>
        <translation>%1, verbessert</translation>
    </message>
</context>
<context>
    <name>Sentences</name>
    <message>
        <source> (and %1 more)</source>
        <translation> (und %1 weitere)</translation>
    </message>
    <message>
        <source> and others</source>
        <translation> und andere</translation>
    </message>
    <message>
        <source> to %1</source>
        <translation> bis %1</translation>
    </message>
    <message>
        <source>%1 %2 does not divide the %3 %4; %5 would</source>
        <translation>%1 %2 teilt %4 %3 nicht; möglich wäre %5</translation>
    </message>
    <message>
        <source>%1 %2; %3 are 0 to %4</source>
        <translation>%1 %2; %3 sind 0 bis %4</translation>
    </message>
    <message>
        <source>%1 (and %2 more)</source>
        <translation>%1 (und %2 weitere)</translation>
    </message>
    <message>
        <source>%1 activation</source>
        <translation>%1 Aktivierung</translation>
    </message>
    <message>
        <source>%1 activations</source>
        <translation>%1 Aktivierungen</translation>
    </message>
    <message>
        <source>%1 after micro-batch %2 on stage %3</source>
        <translation>%1 nach Micro-Batch %2 auf Stufe %3</translation>
    </message>
    <message>
        <source>%1 appears beside a %2 of the same micro-batch</source>
        <translation>%1 steht neben einem %2 desselben Micro-Batches</translation>
    </message>
    <message>
        <source>%1 appears beside a BW, which contains it</source>
        <translation>%1 steht neben einem BW, das es enthält</translation>
    </message>
    <message>
        <source>%1 appears here for the second time</source>
        <translation>%1 kommt hier zum zweiten Mal vor</translation>
    </message>
    <message>
        <source>%1 appears twice</source>
        <translation>%1 kommt zweimal vor</translation>
    </message>
    <message>
        <source>%1 belongs to another program: it is SQLite, but no store of Pipewright runs; name another file</source>
        <translation>%1 gehört zu einem anderen Programm: es ist SQLite, aber keine Ablage von Pipewright-Läufen; eine andere Datei nennen</translation>
    </message>
    <message>
        <source>%1 belongs to device %2</source>
        <translation>%1 gehört zu Gerät %2</translation>
    </message>
    <message>
        <source>%1 belongs to no pass of the file</source>
        <translation>%1 gehört zu keinem Durchlauf der Datei</translation>
    </message>
    <message>
        <source>%1 blank fields at the end of rows are cut</source>
        <translation>%1 leere Felder am Ende von Zeilen werden abgeschnitten</translation>
    </message>
    <message>
        <source>%1 cannot be chosen: %2</source>
        <translation>%1 kann nicht gewählt werden: %2</translation>
    </message>
    <message>
        <source>%1 cannot be copied: out of memory</source>
        <translation>%1 lässt sich nicht kopieren: kein Arbeitsspeicher mehr</translation>
    </message>
    <message>
        <source>%1 cannot be made: %2; see that its folder is there and that you may write to it</source>
        <translation>%1 lässt sich nicht anlegen: %2; der Ordner muss da sein und beschrieben werden dürfen</translation>
    </message>
    <message>
        <source>%1 cannot be opened: out of memory</source>
        <translation>%1 lässt sich nicht öffnen: kein Arbeitsspeicher mehr</translation>
    </message>
    <message>
        <source>%1 cannot be placed beside the other backward of its stage: split or join that one</source>
        <translation>%1 kann nicht neben dem anderen Backward seiner Stufe stehen: dieses teilen oder verbinden</translation>
    </message>
    <message>
        <source>%1 cannot be put aside: %2; what could be kept is in %3</source>
        <translation>%1 lässt sich nicht beiseitelegen: %2; was zu retten war, ist in %3</translation>
    </message>
    <message>
        <source>%1 cannot fill %2, one layer each</source>
        <translation>%1 sind zu wenig für %2 mit je einer Schicht</translation>
    </message>
    <message>
        <source>%1 cannot start before %2 ends at %3</source>
        <translation>%1 kann nicht beginnen, bevor %2 bei %3 endet</translation>
    </message>
    <message>
        <source>%1 cannot start before %2 ends at %3 and its message is there at %4</source>
        <translation>%1 kann nicht beginnen, bevor %2 bei %3 endet und seine Nachricht bei %4 da ist</translation>
    </message>
    <message>
        <source>%1 chunk</source>
        <translation>%1 Chunk</translation>
    </message>
    <message>
        <source>%1 chunks</source>
        <translation>%1 Chunks</translation>
    </message>
    <message>
        <source>%1 comes %2 its pass</source>
        <translation>%1 kommt %2 seinem Durchlauf</translation>
    </message>
    <message>
        <source>%1 comes after the backward that needs it</source>
        <translation>%1 kommt nach dem Backward, das es braucht</translation>
    </message>
    <message>
        <source>%1 comes before the gradient of micro-batch %2</source>
        <translation>%1 kommt vor dem Gradienten von Micro-Batch %2</translation>
    </message>
    <message>
        <source>%1 comes before the update of step %2 that makes its weights</source>
        <translation>%1 kommt vor dem Update von Schritt %2, das seine Gewichte macht</translation>
    </message>
    <message>
        <source>%1 copies of each stage would exchange %2 times; at most %3</source>
        <translation>%1 Kopien jeder Stufe würden %2-mal austauschen; höchstens %3</translation>
    </message>
    <message>
        <source>%1 device</source>
        <translation>%1 Gerät</translation>
    </message>
    <message>
        <source>%1 devices</source>
        <translation>%1 Geräte</translation>
    </message>
    <message>
        <source>%1 devices and %2 micro-batches are too many to repeat a V-shaped block for; 6p(p+m) is at most %3</source>
        <translation>%1 Geräte und %2 Micro-Batches sind zu viele, um einen V-förmigen Baustein zu wiederholen; 6p(p+m) ist höchstens %3</translation>
    </message>
    <message>
        <source>%1 devices with %2 micro-batches make at least %3 passes; a schedule may have %4</source>
        <translation>%1 Geräte mit %2 Micro-Batches ergeben mindestens %3 Durchläufe; ein Ablaufplan darf %4 haben</translation>
    </message>
    <message>
        <source>%1 differs from the shape that is set</source>
        <translation>%1 weicht von der eingestellten Form ab</translation>
    </message>
    <message>
        <source>%1 empty rows at the end are cut</source>
        <translation>%1 leere Zeilen am Ende werden abgeschnitten</translation>
    </message>
    <message>
        <source>%1 fields of UNSHARD, RESHARD and REDUCE_GRAD are left out%2</source>
        <translation>%1 Felder mit UNSHARD, RESHARD und REDUCE_GRAD werden ausgelassen%2</translation>
    </message>
    <message>
        <source>%1 forward says</source>
        <translation>%1 Forward sagt</translation>
    </message>
    <message>
        <source>%1 forwards say</source>
        <translation>%1 Forwards sagen</translation>
    </message>
    <message>
        <source>%1 from a rank to another, and the plan has %2 and %3</source>
        <translation>%1 von einem Rang zu einem anderen, und der Plan hat %2 und %3</translation>
    </message>
    <message>
        <source>%1 gives more than %2, the most that is read</source>
        <translation>%1 gibt mehr als %2, das Höchste, was gelesen wird</translation>
    </message>
    <message>
        <source>%1 has %2 bytes; it can have %3</source>
        <translation>%1 hat %2 Bytes; möglich sind %3</translation>
    </message>
    <message>
        <source>%1 has %2 elements, not %3</source>
        <translation>%1 hat %2 Elemente, nicht %3</translation>
    </message>
    <message>
        <source>%1 has %2 elements; %3 are the most</source>
        <translation>%1 hat %2 Elemente; höchstens %3 sind erlaubt</translation>
    </message>
    <message>
        <source>%1 has %2 elements; a question has 2 to 9</source>
        <translation>%1 hat %2 Elemente; eine Frage hat 2 bis 9</translation>
    </message>
    <message>
        <source>%1 has %2 elements; it can have %3</source>
        <translation>%1 hat %2 Elemente; möglich sind %3</translation>
    </message>
    <message>
        <source>%1 has %2 entries, not %3</source>
        <translation>%1 hat %2 Einträge, nicht %3</translation>
    </message>
    <message>
        <source>%1 has %2 in it</source>
        <translation>%1 enthält %2</translation>
    </message>
    <message>
        <source>%1 has %2 lines for %3 devices</source>
        <translation>%1 hat %2 Zeilen für %3 Geräte</translation>
    </message>
    <message>
        <source>%1 has %2 names; 2 to %3 make an example</source>
        <translation>%1 hat %2 Namen; 2 bis %3 ergeben ein Beispiel</translation>
    </message>
    <message>
        <source>%1 has %2 of stage %3, segment %4 twice</source>
        <translation>%1 hat %2 von Stufe %3, Segment %4 zweimal</translation>
    </message>
    <message>
        <source>%1 has %2; F, B, W, BW and R are known</source>
        <translation>%1 hat %2; bekannt sind F, B, W, BW und R</translation>
    </message>
    <message>
        <source>%1 has %2; a pass with its offset, and its length where it is not 1, is as F0@3 or BW0@4+2</source>
        <translation>%1 hat %2; ein Durchlauf mit seinem Versatz, und seiner Länge, wo sie nicht 1 ist, ist wie F0@3 oder BW0@4+2</translation>
    </message>
    <message>
        <source>%1 has a text of %2 bytes; it can have %3</source>
        <translation>%1 hat einen Text von %2 Bytes; möglich sind %3</translation>
    </message>
    <message>
        <source>%1 has a time outside its range</source>
        <translation>%1 hat eine Zeit außerhalb ihres Bereichs</translation>
    </message>
    <message>
        <source>%1 has an element %2 that is not a whole number from %3 to %4</source>
        <translation>%1 hat ein Element %2, das keine ganze Zahl von %3 bis %4 ist</translation>
    </message>
    <message>
        <source>%1 has an element %2 that is not text</source>
        <translation>%1 hat ein Element %2, das kein Text ist</translation>
    </message>
    <message>
        <source>%1 has an element that is not a time in milliseconds</source>
        <translation>%1 hat ein Element, das keine Zeit in Millisekunden ist</translation>
    </message>
    <message>
        <source>%1 has an element that is not an object</source>
        <translation>%1 hat ein Element, das kein Objekt ist</translation>
    </message>
    <message>
        <source>%1 has more than %2 examples</source>
        <translation>%1 hat mehr als %2 Beispiele</translation>
    </message>
    <message>
        <source>%1 has more than %2 families</source>
        <translation>%1 hat mehr als %2 Familien</translation>
    </message>
    <message>
        <source>%1 has more than %2 files</source>
        <translation>%1 hat mehr als %2 Dateien</translation>
    </message>
    <message>
        <source>%1 has more than one statement</source>
        <translation>%1 hat mehr als eine Anweisung</translation>
    </message>
    <message>
        <source>%1 has no block</source>
        <translation>%1 hat keinen Baustein</translation>
    </message>
    <message>
        <source>%1 has no iteration %2</source>
        <translation>%1 hat keine Iteration %2</translation>
    </message>
    <message>
        <source>%1 has no micro-batch number</source>
        <translation>%1 hat keine Micro-Batch-Nummer</translation>
    </message>
    <message>
        <source>%1 has no parameter &apos;%2&apos;; it has %3</source>
        <translation>%1 hat keinen Parameter &apos;%2&apos;; vorhanden: %3</translation>
    </message>
    <message>
        <source>%1 has no pass</source>
        <translation>%1 hat keinen Durchlauf</translation>
    </message>
    <message>
        <source>%1 has no run</source>
        <translation>%1 hat keinen Lauf</translation>
    </message>
    <message>
        <source>%1 has no run %2</source>
        <translation>%1 hat keinen Lauf %2</translation>
    </message>
    <message>
        <source>%1 has no weight version of its own here</source>
        <translation>%1 hat hier keine eigene Gewichtsversion</translation>
    </message>
    <message>
        <source>%1 has no words; only arrows, brackets and regions can do without</source>
        <translation>%1 hat keine Wörter; nur Pfeile, Klammern und Bereiche kommen ohne aus</translation>
    </message>
    <message>
        <source>%1 has not come to %2: it is held in %3</source>
        <translation>%1 ist nicht bis zu %2 gekommen: er wird in %3 gehalten</translation>
    </message>
    <message>
        <source>%1 has to be F with BW, or F with B and W; R may be added</source>
        <translation>%1 muss F mit BW sein, oder F mit B und W; R darf dazukommen</translation>
    </message>
    <message>
        <source>%1 has to be an object of at most 20 values</source>
        <translation>%1 muss ein Objekt von höchstens 20 Werten sein</translation>
    </message>
    <message>
        <source>%1 idle slots are left out; a schedule starts passes as soon as it can</source>
        <translation>%1 leere Plätze werden ausgelassen; ein Ablaufplan beginnt Durchläufe, sobald er kann</translation>
    </message>
    <message>
        <source>%1 in %2: with one layer less an end has none</source>
        <translation>%1 in %2: mit einer Schicht weniger hat ein Ende keine</translation>
    </message>
    <message>
        <source>%1 is %2 in the list of rank %3</source>
        <translation>%1 ist %2 in der Liste von Rang %3</translation>
    </message>
    <message>
        <source>%1 is %2, none of F, B, W, BW, R, U, F+BW</source>
        <translation>%1 ist %2, keines von F, B, W, BW, R, U, F+BW</translation>
    </message>
    <message>
        <source>%1 is %2, not one from %3 to %4</source>
        <translation>%1 ist %2, keine von %3 bis %4</translation>
    </message>
    <message>
        <source>%1 is %2, which is none of its values</source>
        <translation>%1 ist %2, was keiner seiner Werte ist</translation>
    </message>
    <message>
        <source>%1 is %2, which no node has; passes are F, B, W, BW and R</source>
        <translation>%1 ist %2, was kein Knoten hat; Durchläufe sind F, B, W, BW und R</translation>
    </message>
    <message>
        <source>%1 is %2; %3</source>
        <translation>%1 ist %2; %3</translation>
    </message>
    <message>
        <source>%1 is %2; %3 to %4</source>
        <translation>%1 ist %2; %3 bis %4</translation>
    </message>
    <message>
        <source>%1 is %2; 1 to %3</source>
        <translation>%1 ist %2; 1 bis %3</translation>
    </message>
    <message>
        <source>%1 is %2; a schedule may have %3 passes</source>
        <translation>%1 ist %2; ein Ablaufplan darf %3 Durchläufe haben</translation>
    </message>
    <message>
        <source>%1 is %2; a whole number up to 1e9</source>
        <translation>%1 ist %2; eine ganze Zahl bis 1e9</translation>
    </message>
    <message>
        <source>%1 is %2; at least %3</source>
        <translation>%1 ist %2; mindestens %3</translation>
    </message>
    <message>
        <source>%1 is %2; at least 1</source>
        <translation>%1 ist %2; mindestens 1</translation>
    </message>
    <message>
        <source>%1 is %2; it can be %3 to %4</source>
        <translation>%1 ist %2; möglich ist %3 bis %4</translation>
    </message>
    <message>
        <source>%1 is %2; it is one of %3</source>
        <translation>%1 ist %2; möglich sind %3</translation>
    </message>
    <message>
        <source>%1 is %2; the block has %3</source>
        <translation>%1 ist %2; der Baustein hat %3</translation>
    </message>
    <message>
        <source>%1 is a number from 1 to 1000000, not %2</source>
        <translation>%1 ist eine Zahl von 1 bis 1000000, nicht %2</translation>
    </message>
    <message>
        <source>%1 is a pass; its place is the schedule&apos;s</source>
        <translation>%1 ist ein Durchlauf; seinen Platz bestimmt der Ablaufplan</translation>
    </message>
    <message>
        <source>%1 is a store of version %2, and this program knows versions up to %3; open it with a later Pipewright, or name another file</source>
        <translation>%1 ist eine Ablage der Version %2, und dieses Programm kennt Versionen bis %3; mit einem späteren Pipewright öffnen oder eine andere Datei nennen</translation>
    </message>
    <message>
        <source>%1 is a text without words</source>
        <translation>%1 ist ein Text ohne Wörter</translation>
    </message>
    <message>
        <source>%1 is a trace whose passes are not known: it has streams and threads alone</source>
        <translation>%1 ist ein Trace, dessen Durchläufe nicht bekannt sind: er hat nur Streams und Threads</translation>
    </message>
    <message>
        <source>%1 is above 2147483647</source>
        <translation>%1 ist größer als 2147483647</translation>
    </message>
    <message>
        <source>%1 is an SQLite file, but no export of Nsight Systems with anything to show: it has no table NVTX_EVENTS, CUPTI_ACTIVITY_KIND_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY or CUPTI_ACTIVITY_KIND_MEMSET%2</source>
        <translation>%1 ist eine SQLite-Datei, aber kein Export von Nsight Systems, in dem etwas zu zeigen wäre: sie hat keine Tabelle NVTX_EVENTS, CUPTI_ACTIVITY_KIND_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY oder CUPTI_ACTIVITY_KIND_MEMSET%2</translation>
    </message>
    <message>
        <source>%1 is damaged, so that no run is written to it: %2; `pipewright runs --check` lists the damage, and --repair keeps what can be read</source>
        <translation>%1 ist beschädigt, daher wird kein Lauf hineingeschrieben: %2; `pipewright runs --check` listet die Schäden auf, und --repair behält, was lesbar ist</translation>
    </message>
    <message>
        <source>%1 is damaged: %2; `pipewright runs --check` lists the damage, --repair keeps the rest</source>
        <translation>%1 ist beschädigt: %2; `pipewright runs --check` listet die Schäden auf, --repair behält den Rest</translation>
    </message>
    <message>
        <source>%1 is damaged: it has no table %2; name another file</source>
        <translation>%1 ist beschädigt: es fehlt die Tabelle %2; eine andere Datei nennen</translation>
    </message>
    <message>
        <source>%1 is damaged: lane %2 of run %3 has %4 slices of %5</source>
        <translation>%1 ist beschädigt: Spur %2 von Lauf %3 hat %4 von %5 Abschnitten</translation>
    </message>
    <message>
        <source>%1 is damaged: the lanes of run %2 tell %3 slices, more than the file has room for</source>
        <translation>%1 ist beschädigt: die Spuren von Lauf %2 nennen %3 Abschnitte, mehr, als die Datei Platz hat</translation>
    </message>
    <message>
        <source>%1 is empty</source>
        <translation>%1 ist leer</translation>
    </message>
    <message>
        <source>%1 is a device and no file: name another file</source>
        <translation>%1 ist ein Gerät und keine Datei: eine andere Datei nennen</translation>
    </message>
    <message>
        <source>%1 is a folder; a store of runs is a file: name one in it</source>
        <translation>%1 ist ein Ordner; eine Ablage von Läufen ist eine Datei: eine darin nennen</translation>
    </message>
    <message>
        <source>%1 holds bytes that no text has: it is not a schedule</source>
        <translation>%1 enthält Bytes, die kein Text hat: es ist kein Ablaufplan</translation>
    </message>
    <message>
        <source>%1 is empty, and so no store of runs</source>
        <translation>%1 ist leer und damit keine Ablage von Läufen</translation>
    </message>
    <message>
        <source>%1 is empty, and so no store of runs: name another file</source>
        <translation>%1 ist leer und damit keine Ablage von Läufen: eine andere Datei nennen</translation>
    </message>
    <message>
        <source>%1 is empty, and so no store of runs: remove it, or name another file</source>
        <translation>%1 ist leer und damit keine Ablage von Läufen: entfernen oder eine andere Datei nennen</translation>
    </message>
    <message>
        <source>%1 is empty; a lesson has at least one step</source>
        <translation>%1 ist leer; eine Lektion hat mindestens einen Schritt</translation>
    </message>
    <message>
        <source>%1 is empty; a level has at least one goal</source>
        <translation>%1 ist leer; ein Level hat mindestens ein Ziel</translation>
    </message>
    <message>
        <source>%1 is encrypted</source>
        <translation>%1 ist verschlüsselt</translation>
    </message>
    <message>
        <source>%1 is fixed out of sequence; a search takes fixed passes whose micro-batches count up</source>
        <translation>%1 ist außer der Reihe festgelegt; eine Suche nimmt feste Durchläufe, deren Micro-Batches aufwärts zählen</translation>
    </message>
    <message>
        <source>%1 is given twice</source>
        <translation>%1 ist zweimal angegeben</translation>
    </message>
    <message>
        <source>%1 is impossible: %2</source>
        <translation>%1 ist unmöglich: %2</translation>
    </message>
    <message>
        <source>%1 is in row %2, and stage %3 in row %4</source>
        <translation>%1 ist in Zeile %2 und Stufe %3 in Zeile %4</translation>
    </message>
    <message>
        <source>%1 is longer than %2 bytes</source>
        <translation>%1 ist länger als %2 Bytes</translation>
    </message>
    <message>
        <source>%1 is longer than %2 bytes, the most that is read</source>
        <translation>%1 ist länger als %2 Bytes, das Höchste, was gelesen wird</translation>
    </message>
    <message>
        <source>%1 is missing</source>
        <translation>%1 fehlt</translation>
    </message>
    <message>
        <source>%1 is missing (older plans: minibatch); what load_nsys_events.py writes has none, import the .sqlite files in its place</source>
        <translation>%1 fehlt (ältere Pläne: minibatch); was load_nsys_events.py schreibt, hat keines, stattdessen die .sqlite-Dateien importieren</translation>
    </message>
    <message>
        <source>%1 is missing for this pass</source>
        <translation>%1 fehlt für diesen Durchlauf</translation>
    </message>
    <message>
        <source>%1 is missing or false; %2</source>
        <translation>%1 fehlt oder ist false; %2</translation>
    </message>
    <message>
        <source>%1 is missing; it is the rank</source>
        <translation>%1 fehlt; es ist der Rang</translation>
    </message>
    <message>
        <source>%1 is neither true nor false</source>
        <translation>%1 ist weder true noch false</translation>
    </message>
    <message>
        <source>%1 is not a goal; %2</source>
        <translation>%1 ist kein Ziel; %2</translation>
    </message>
    <message>
        <source>%1 is not an object</source>
        <translation>%1 ist kein Objekt</translation>
    </message>
    <message>
        <source>%1 is not an option of a job</source>
        <translation>%1 ist keine Option eines Jobs</translation>
    </message>
    <message>
        <source>%1 is not an option of a job; -- ends them</source>
        <translation>%1 ist keine Option eines Jobs; -- beendet sie</translation>
    </message>
    <message>
        <source>%1 is not a placement; there are linear, reversed, looped N, v, zigzag N, or the device of each stage</source>
        <translation>%1 ist keine Platzierung; es gibt linear, reversed, looped N, v, zigzag N oder das Gerät jeder Stufe</translation>
    </message>
    <message>
        <source>%1 is not text</source>
        <translation>%1 ist kein Text</translation>
    </message>
    <message>
        <source>%1 is not a time of at most 1e12 microseconds</source>
        <translation>%1 ist keine Zeit von höchstens 1e12 Mikrosekunden</translation>
    </message>
    <message>
        <source>%1 is not a whole number</source>
        <translation>%1 ist keine ganze Zahl</translation>
    </message>
    <message>
        <source>%1 is none of %2</source>
        <translation>%1 ist keines von %2</translation>
    </message>
    <message>
        <source>%1 is none of F, B, W and BW</source>
        <translation>%1 ist keines von F, B, W und BW</translation>
    </message>
    <message>
        <source>%1 is none of F, B, W, BW, R, U</source>
        <translation>%1 ist keines von F, B, W, BW, R, U</translation>
    </message>
    <message>
        <source>%1 is none: %2</source>
        <translation>%1 nennt keine bekannte: %2</translation>
    </message>
    <message>
        <source>%1 is not a count for %2</source>
        <translation>%1 ist keine Anzahl für %2</translation>
    </message>
    <message>
        <source>%1 is not a list</source>
        <translation>%1 ist keine Liste</translation>
    </message>
    <message>
        <source>%1 is not a list of counts with commas between them</source>
        <translation>%1 ist keine Liste von Anzahlen mit Kommas dazwischen</translation>
    </message>
    <message>
        <source>%1 is not a message rule</source>
        <translation>%1 ist keine Nachrichtenregel</translation>
    </message>
    <message>
        <source>%1 is not a number</source>
        <translation>%1 ist keine Zahl</translation>
    </message>
    <message>
        <source>%1 is not a pass of its shape</source>
        <translation>%1 ist kein Durchlauf seiner Form</translation>
    </message>
    <message>
        <source>%1 is not a route</source>
        <translation>%1 ist keine Route</translation>
    </message>
    <message>
        <source>%1 is not an update rule</source>
        <translation>%1 ist keine Update-Regel</translation>
    </message>
    <message>
        <source>%1 is not there: no run has been kept in it</source>
        <translation>%1 ist nicht da: es ist noch kein Lauf darin abgelegt</translation>
    </message>
    <message>
        <source>%1 is not within the makespan of %2</source>
        <translation>%1 liegt nicht innerhalb der Gesamtdauer von %2</translation>
    </message>
    <message>
        <source>%1 is on route %2; its micro-batch takes route %3</source>
        <translation>%1 ist auf Route %2; sein Micro-Batch nimmt Route %3</translation>
    </message>
    <message>
        <source>%1 is one option too many</source>
        <translation>%1 ist eine Option zu viel</translation>
    </message>
    <message>
        <source>%1 is out of its range, which is 0 to %2%3</source>
        <translation>%1 ist außerhalb seines Bereichs, der 0 bis %2 ist%3</translation>
    </message>
    <message>
        <source>%1 is packed by method %2 of zip; deflate and zstd are read</source>
        <translation>%1 ist mit Methode %2 von zip gepackt; gelesen werden deflate und zstd</translation>
    </message>
    <message>
        <source>%1 is packed by zstd, which this program was built without</source>
        <translation>%1 ist mit zstd gepackt, ohne das dieses Programm gebaut wurde</translation>
    </message>
    <message>
        <source>%1 is recorded as entry %2, which the schedule does not have</source>
        <translation>%1 ist als Eintrag %2 aufgezeichnet, den der Ablaufplan nicht hat</translation>
    </message>
    <message>
        <source>%1 is there a second time</source>
        <translation>%1 ist ein zweites Mal da</translation>
    </message>
    <message>
        <source>%1 is there already</source>
        <translation>%1 ist schon da</translation>
    </message>
    <message>
        <source>%1 is unknown</source>
        <translation>%1 ist unbekannt</translation>
    </message>
    <message>
        <source>%1 is unknown: %2</source>
        <translation>%1 ist unbekannt: %2</translation>
    </message>
    <message>
        <source>%1 kernels begin in the example on rank %2; 2 to %3 make one</source>
        <translation>%1 Kernel beginnen im Beispiel auf Rang %2; 2 bis %3 ergeben eines</translation>
    </message>
    <message>
        <source>%1 layer</source>
        <translation>%1 Schicht</translation>
    </message>
    <message>
        <source>%1 layers</source>
        <translation>%1 Schichten</translation>
    </message>
    <message>
        <source>%1 layers on %2 machines are too many to search</source>
        <translation>%1 Schichten auf %2 Maschinen sind zu viele zum Durchsuchen</translation>
    </message>
    <message>
        <source>%1 lies before start_time</source>
        <translation>%1 liegt vor start_time</translation>
    </message>
    <message>
        <source>%1 lists; at most %2 ranks are read</source>
        <translation>%1 Listen; höchstens %2 Ränge werden gelesen</translation>
    </message>
    <message>
        <source>%1 makes %2 choices; 1 to 1000</source>
        <translation>%1 macht %2 Auswahlen; 1 bis 1000</translation>
    </message>
    <message>
        <source>%1 means nothing here</source>
        <translation>%1 bedeutet hier nichts</translation>
    </message>
    <message>
        <source>%1 messages are received in another order than sent, the first is that of %2 from rank %3 to rank %4; a transport without tags would mix them up</source>
        <translation>%1 Nachrichten werden in anderer Reihenfolge empfangen als gesendet, die erste ist die von %2 von Rang %3 zu Rang %4; eine Übertragung ohne Tags würde sie verwechseln</translation>
    </message>
    <message>
        <source>%1 micro-batches are asked for; %2 of %3 are free</source>
        <translation>%1 Micro-Batches sind verlangt; %2 von %3 sind frei</translation>
    </message>
    <message>
        <source>%1 need %2 layers, the model has %3; at most %4 would do</source>
        <translation>%1 brauchen %2 Schichten, das Modell hat %3; für höchstens %4 reicht es</translation>
    </message>
    <message>
        <source>%1 need_recompute and there are no R nodes: the recompute is part of the backwards</source>
        <translation>%1 need_recompute, und es gibt keine R-Knoten: die Neuberechnung ist Teil der Backwards</translation>
    </message>
    <message>
        <source>%1 needs %2 layers, the model has %3; at most %4 would do</source>
        <translation>%1 braucht %2 Schichten, das Modell hat %3; für höchstens %4 reicht es</translation>
    </message>
    <message>
        <source>%1 needs a line for each of the %2 devices</source>
        <translation>%1 braucht eine Zeile für jedes der %2 Geräte</translation>
    </message>
    <message>
        <source>%1 needs a name of letters, digits and _</source>
        <translation>%1 braucht einen Namen aus Buchstaben, Ziffern und _</translation>
    </message>
    <message>
        <source>%1 needs a number for each of the %2 stages</source>
        <translation>%1 braucht eine Zahl für jede der %2 Stufen</translation>
    </message>
    <message>
        <source>%1 needs a plain text of up to 400 bytes</source>
        <translation>%1 braucht einen einfachen Text von bis zu 400 Bytes</translation>
    </message>
    <message>
        <source>%1 needs a text behind a colon, plain and of up to 400 bytes</source>
        <translation>%1 braucht einen Text hinter einem Doppelpunkt, einfach und von bis zu 400 Bytes</translation>
    </message>
    <message>
        <source>%1 node of a split vocabulary</source>
        <translation>%1 Knoten eines geteilten Vokabulars</translation>
    </message>
    <message>
        <source>%1 nodes of a split vocabulary</source>
        <translation>%1 Knoten eines geteilten Vokabulars</translation>
    </message>
    <message>
        <source>%1 of %2 waits for %3 of %4</source>
        <translation>%1 von %2 wartet auf %3 von %4</translation>
    </message>
    <message>
        <source>%1 of %2 waits for its %3</source>
        <translation>%1 von %2 wartet auf sein %3</translation>
    </message>
    <message>
        <source>%1 of %2 waits for the gradients of %3, which is held in %4</source>
        <translation>%1 von %2 wartet auf die Gradienten von %3, der in %4 gehalten wird</translation>
    </message>
    <message>
        <source>%1 of micro-batch %2 on stage %3</source>
        <translation>%1 von Micro-Batch %2 auf Stufe %3</translation>
    </message>
    <message>
        <source>%1 of micro-batch %2, segment %3, on stage %4</source>
        <translation>%1 von Micro-Batch %2, Segment %3, auf Stufe %4</translation>
    </message>
    <message>
        <source>%1 of route %2</source>
        <translation>%1 von Route %2</translation>
    </message>
    <message>
        <source>%1 of stage %2 is %3, but must be at least %4</source>
        <translation>%1 von Stufe %2 ist %3, muss aber mindestens %4 sein</translation>
    </message>
    <message>
        <source>%1 of stage %2 takes %3 to %4 in %5 nodes; the mean, %6, is taken</source>
        <translation>%1 von Stufe %2 dauert %3 bis %4 in %5 Knoten; das Mittel, %6, wird genommen</translation>
    </message>
    <message>
        <source>%1 of stage %2 would take %3 s on %4; at most %5 s</source>
        <translation>%1 von Stufe %2 würde %3 s auf %4 dauern; höchstens %5 s</translation>
    </message>
    <message>
        <source>%1 of step %2 on stage %3</source>
        <translation>%1 von Schritt %2 auf Stufe %3</translation>
    </message>
    <message>
        <source>%1 offload barrier</source>
        <translation>%1 Auslagerungs-Barriere</translation>
    </message>
    <message>
        <source>%1 offload barriers</source>
        <translation>%1 Auslagerungs-Barrieren</translation>
    </message>
    <message>
        <source>%1 offload node</source>
        <translation>%1 Auslagerungs-Knoten</translation>
    </message>
    <message>
        <source>%1 offload nodes</source>
        <translation>%1 Auslagerungs-Knoten</translation>
    </message>
    <message>
        <source>%1 or </source>
        <translation>%1 oder </translation>
    </message>
    <message>
        <source>%1 or %2</source>
        <translation>%1 oder %2</translation>
    </message>
    <message>
        <source>%1 overlaps with %2, and overlapped pairs are not taken apart</source>
        <translation>%1 überlappt mit %2, und überlappte Paare werden nicht getrennt</translation>
    </message>
    <message>
        <source>%1 passes begin in the plan before what they need is there</source>
        <translation>%1 Durchläufe beginnen im Plan, bevor da ist, was sie brauchen</translation>
    </message>
    <message>
        <source>%1 pipeline rank</source>
        <translation>%1 Pipeline-Rang</translation>
    </message>
    <message>
        <source>%1 pipeline ranks</source>
        <translation>%1 Pipeline-Ränge</translation>
    </message>
    <message>
        <source>%1 post-validation node</source>
        <translation>%1 Nachprüfungs-Knoten</translation>
    </message>
    <message>
        <source>%1 post-validation nodes</source>
        <translation>%1 Nachprüfungs-Knoten</translation>
    </message>
    <message>
        <source>%1 reads weight version %2 here, not %3</source>
        <translation>%1 liest hier Gewichtsversion %2, nicht %3</translation>
    </message>
    <message>
        <source>%1 receive</source>
        <translation>%1 Empfangen</translation>
    </message>
    <message>
        <source>%1 receives</source>
        <translation>%1 Empfangen</translation>
    </message>
    <message>
        <source>%1 replica</source>
        <translation>%1 Replikat</translation>
    </message>
    <message>
        <source>%1 replicas</source>
        <translation>%1 Replikate</translation>
    </message>
    <message>
        <source>%1 sample</source>
        <translation>%1 Probe</translation>
    </message>
    <message>
        <source>%1 samples</source>
        <translation>%1 Proben</translation>
    </message>
    <message>
        <source>%1 replicas of %2 devices and %3 micro-batches are too many to count</source>
        <translation>%1 Replikate von %2 Geräten und %3 Micro-Batches sind zu viele zum Zählen</translation>
    </message>
    <message>
        <source>%1 replicas; at most %2 of this pipeline</source>
        <translation>%1 Replikate; höchstens %2 von dieser Pipeline</translation>
    </message>
    <message>
        <source>%1 result crosses</source>
        <translation>%1 Ergebnis geht</translation>
    </message>
    <message>
        <source>%1 results cross</source>
        <translation>%1 Ergebnisse gehen</translation>
    </message>
    <message>
        <source>%1 rounds over %2 devices are too many stages</source>
        <translation>%1 Runden über %2 Geräte sind zu viele Stufen</translation>
    </message>
    <message>
        <source>%1 say nothing of the further devices that replicas of stages take; leave them out</source>
        <translation>%1 sagen nichts von den weiteren Geräten, die Replikate von Stufen nehmen; sie weglassen</translation>
    </message>
    <message>
        <source>%1 says that it is a store of version %2, and versions go from 1 to %3; the file is damaged: name another one</source>
        <translation>%1 gibt sich als Ablage der Version %2 aus, und Versionen gehen von 1 bis %3; die Datei ist beschädigt: eine andere nennen</translation>
    </message>
    <message>
        <source>%1 says the shape of a run and is not a rank; the files of the ranks are wanted</source>
        <translation>%1 nennt die Form eines Laufs und ist kein Rang; gebraucht werden die Dateien der Ränge</translation>
    </message>
    <message>
        <source>%1 segment</source>
        <translation>%1 Segment</translation>
    </message>
    <message>
        <source>%1 segments</source>
        <translation>%1 Segmente</translation>
    </message>
    <message>
        <source>%1 send</source>
        <translation>%1 Senden</translation>
    </message>
    <message>
        <source>%1 sends</source>
        <translation>%1 Senden</translation>
    </message>
    <message>
        <source>%1 stage</source>
        <translation>%1 Stufe</translation>
    </message>
    <message>
        <source>%1 stages</source>
        <translation>%1 Stufen</translation>
    </message>
    <message>
        <source>%1 stages are not a whole number of chunks on %2 ranks</source>
        <translation>%1 Stufen sind keine ganze Zahl von Chunks auf %2 Rängen</translation>
    </message>
    <message>
        <source>%1 stages do not deal evenly to %2 devices</source>
        <translation>%1 Stufen lassen sich nicht gleichmäßig auf %2 Geräte verteilen</translation>
    </message>
    <message>
        <source>%1 stages, %2 micro-batches, %3 segments and %4 steps make more than %5 passes, the most that a schedule may have</source>
        <translation>%1 Stufen, %2 Micro-Batches, %3 Segmente und %4 Schritte ergeben mehr als %5 Durchläufe, das Höchste, was ein Ablaufplan haben darf</translation>
    </message>
    <message>
        <source>%1 starts at %2, before %3 ends at %4</source>
        <translation>%1 beginnt bei %2, bevor %3 bei %4 endet</translation>
    </message>
    <message>
        <source>%1 stays %2 %3</source>
        <translation>%1 bleibt %2 %3</translation>
    </message>
    <message>
        <source>%1 tables stand there; the last is read</source>
        <translation>%1 Tabellen stehen da; die letzte wird gelesen</translation>
    </message>
    <message>
        <source>%1 takes %2, not &apos;%3&apos;</source>
        <translation>%1 nimmt %2, nicht &apos;%3&apos;</translation>
    </message>
    <message>
        <source>%1 takes a time from 0 to 1000 s</source>
        <translation>%1 nimmt eine Zeit von 0 bis 1000 s</translation>
    </message>
    <message>
        <source>%1 wants a number of %2, as in &apos;%3 2&apos;</source>
        <translation>%1 braucht eine Anzahl %2, wie in &apos;%3 2&apos;</translation>
    </message>
    <message>
        <source>%1 with %2</source>
        <translation>%1 mit %2</translation>
    </message>
    <message>
        <source>%1 would have no place; delete %2 first</source>
        <translation>für %1 wäre kein Platz; erst %2 löschen</translation>
    </message>
    <message>
        <source>%1 would start at %2 and last %3; offsets are within %4</source>
        <translation>%1 würde bei %2 beginnen und %3 dauern; Versätze liegen innerhalb von %4</translation>
    </message>
    <message>
        <source>%1 would start at %2, before %3 ends at %4</source>
        <translation>%1 würde bei %2 beginnen, bevor %3 bei %4 endet</translation>
    </message>
    <message>
        <source>%1, %2 and %3: one layer would keep more than 10^15 bytes</source>
        <translation>%1, %2 und %3: eine Schicht würde mehr als 10^15 Bytes behalten</translation>
    </message>
    <message>
        <source>%1, and %2 marked to go to the host&apos;s memory; keep %3 on the device first</source>
        <translation>%1, und %2 für den Speicher des Hosts markiert; erst %3 auf dem Gerät behalten</translation>
    </message>
    <message>
        <source>%1, byte %2: %3</source>
        <translation>%1, Byte %2: %3</translation>
    </message>
    <message>
        <source>%1, byte %2: a text of more than %3, the most that is read</source>
        <translation>%1, Byte %2: ein Text von mehr als %3, das Höchste, was gelesen wird</translation>
    </message>
    <message>
        <source>%1, byte %2: an object of more than %3, the most that is read</source>
        <translation>%1, Byte %2: ein Objekt von mehr als %3, das Höchste, was gelesen wird</translation>
    </message>
    <message>
        <source>%1, or %2,</source>
        <translation>%1, oder %2,</translation>
    </message>
    <message>
        <source>%1, or say that it is the current one</source>
        <translation>%1, oder sagen, dass es der aktuelle ist</translation>
    </message>
    <message>
        <source>%1, which does not divide the %2 of %3; %4 would</source>
        <translation>%1, was die %2 von %3 nicht teilt; möglich wäre %4</translation>
    </message>
    <message>
        <source>%1: --%2 is an option of the program; the parameter needs another name</source>
        <translation>%1: --%2 ist eine Option des Programms; der Parameter braucht einen anderen Namen</translation>
    </message>
    <message>
        <source>%1: JSON without traceEvents; not a trace</source>
        <translation>%1: JSON ohne traceEvents; kein Trace</translation>
    </message>
    <message>
        <source>%1: a %2 file is written, not read</source>
        <translation>%1: eine Datei der Art %2 wird geschrieben, nicht gelesen</translation>
    </message>
    <message>
        <source>%1: a packet of more than %2, the most that is read</source>
        <translation>%1: ein Paket von mehr als %2, das Höchste, was gelesen wird</translation>
    </message>
    <message>
        <source>%1: a plan of sail-sg and no trace; check, simulate and convert read it, and the studio opens it</source>
        <translation>%1: ein Plan von sail-sg und kein Trace; check, simulate und convert lesen ihn, und das Studio öffnet ihn</translation>
    </message>
    <message>
        <source>%1: a text is longer than is read</source>
        <translation>%1: ein Text ist länger, als gelesen wird</translation>
    </message>
    <message>
        <source>%1: another file has the family %2 already</source>
        <translation>%1: eine andere Datei hat schon die Familie %2</translation>
    </message>
    <message>
        <source>%1: its header in the archive is damaged</source>
        <translation>%1: der Kopf im Archiv ist beschädigt</translation>
    </message>
    <message>
        <source>%1: more than %2 files, or a directory of more than %3, the most that is read</source>
        <translation>%1: mehr als %2 Dateien oder ein Verzeichnis von mehr als %3, das Höchste, was gelesen wird</translation>
    </message>
    <message>
        <source>%1: more than %2 records of a process, or names of more than %3, the most that is read</source>
        <translation>%1: mehr als %2 Einträge zu einem Prozess oder Namen von mehr als %3, das Höchste, was gelesen wird</translation>
    </message>
    <message>
        <source>%1: more than %2, the most that is read of this form</source>
        <translation>%1: mehr als %2, das Höchste, was von dieser Form gelesen wird</translation>
    </message>
    <message>
        <source>%1: more than 5,000,000 spans of OpenTelemetry, the most that is read</source>
        <translation>%1: mehr als 5,000,000 Spannen von OpenTelemetry, das Höchste, was gelesen wird</translation>
    </message>
    <message>
        <source>%1: names of more than %2 in its packets, the most that is read</source>
        <translation>%1: Namen von mehr als %2 in den Paketen, das Höchste, was gelesen wird</translation>
    </message>
    <message>
        <source>%1: nested deeper than %2 levels</source>
        <translation>%1: tiefer verschachtelt als %2 Ebenen</translation>
    </message>
    <message>
        <source>%1: no event in it</source>
        <translation>%1: kein Ereignis darin</translation>
    </message>
    <message>
        <source>%1: no job of Paddle in it has times that can be read</source>
        <translation>%1: kein Job von Paddle darin hat lesbare Zeiten</translation>
    </message>
    <message>
        <source>%1: no object</source>
        <translation>%1: kein Objekt</translation>
    </message>
    <message>
        <source>%1: no packet of Perfetto in it</source>
        <translation>%1: kein Paket von Perfetto darin</translation>
    </message>
    <message>
        <source>%1: no pass of Primus in it</source>
        <translation>%1: kein Durchlauf von Primus darin</translation>
    </message>
    <message>
        <source>%1: no row of the table can be read</source>
        <translation>%1: keine Zeile der Tabelle ist lesbar</translation>
    </message>
    <message>
        <source>%1: no span of OpenTelemetry in it</source>
        <translation>%1: keine Spanne von OpenTelemetry darin</translation>
    </message>
    <message>
        <source>%1: not a trace: no traceEvents in it; %2</source>
        <translation>%1: kein Trace: keine traceEvents darin; %2</translation>
    </message>
    <message>
        <source>%1: nothing that rocprof recorded is in it</source>
        <translation>%1: nichts darin, was rocprof aufgezeichnet hat</translation>
    </message>
    <message>
        <source>%1: reading was stopped</source>
        <translation>%1: das Lesen wurde angehalten</translation>
    </message>
    <message>
        <source>%1: stage %2 is on the same rank, which hands over without a message</source>
        <translation>%1: Stufe %2 ist auf demselben Rang, der ohne Nachricht übergibt</translation>
    </message>
    <message>
        <source>%1: table %2 has more rows than its file has room for; it is damaged</source>
        <translation>%1: Tabelle %2 hat mehr Zeilen, als ihre Datei Platz hat; sie ist beschädigt</translation>
    </message>
    <message>
        <source>%1: the costs are of %2 of other lengths, whose times apart say nothing of these</source>
        <translation>%1: die Kosten sind für %2 anderer Längen, deren einzelne Zeiten nichts über diese sagen</translation>
    </message>
    <message>
        <source>%1: the costs are of %2, which can be put together or cut only where one number divides the other</source>
        <translation>%1: die Kosten sind für %2, die sich nur zusammenlegen oder zerschneiden lassen, wo eine Zahl die andere teilt</translation>
    </message>
    <message>
        <source>%1: the links of the costs differ, and say nothing of others</source>
        <translation>%1: die Leitungen der Kosten sind verschieden und sagen nichts über andere</translation>
    </message>
    <message>
        <source>%1: the memory limits of the costs differ, and say nothing of others</source>
        <translation>%1: die Speichergrenzen der Kosten sind verschieden und sagen nichts über andere</translation>
    </message>
    <message>
        <source>%1: the order is not complete: %2</source>
        <translation>%1: die Reihenfolge ist nicht vollständig: %2</translation>
    </message>
    <message>
        <source>%1: the parameter %2 is of another type in %3</source>
        <translation>%1: der Parameter %2 hat in %3 einen anderen Typ</translation>
    </message>
    <message>
        <source>%1: there is a family %2 already</source>
        <translation>%1: es gibt schon eine Familie %2</translation>
    </message>
    <message>
        <source>%1: there is no stage beyond %2</source>
        <translation>%1: jenseits von %2 gibt es keine Stufe</translation>
    </message>
    <message>
        <source>%1; %2 to %3</source>
        <translation>%1; %2 bis %3</translation>
    </message>
    <message>
        <source>%1; an example is KIND STAGE=RANK:FROM..TO in ms, as in F0=0:324.5..328.1</source>
        <translation>%1; ein Beispiel ist KIND STAGE=RANK:FROM..TO in ms, wie in F0=0:324.5..328.1</translation>
    </message>
    <message>
        <source>%1; nor is there such a file</source>
        <translation>%1; auch eine solche Datei gibt es nicht</translation>
    </message>
    <message>
        <source>%1; reading ended with: %2</source>
        <translation>%1; das Lesen endete mit: %2</translation>
    </message>
    <message>
        <source>%1; … %2 more …</source>
        <translation>%1; … %2 weitere …</translation>
    </message>
    <message>
        <source>%1did you mean %2?</source>
        <translation>%1ist %2 gemeint?</translation>
    </message>
    <message>
        <source>%1the block collides: %2%3</source>
        <translation>%1der Baustein kollidiert: %2%3</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a kind; kinds are compute, communication, memory and other</source>
        <translation>&apos;%1&apos; ist keine Art; Arten sind compute, communication, memory und other</translation>
    </message>
    <message>
        <source>--%1 needs a value</source>
        <translation>--%1 braucht einen Wert</translation>
    </message>
    <message>
        <source>--%1 takes a whole number from %2 to %3, not %4</source>
        <translation>--%1 nimmt eine ganze Zahl von %2 bis %3, nicht %4</translation>
    </message>
    <message>
        <source>--%1 takes letters, digits and . _ - + @ : /, not %2</source>
        <translation>--%1 nimmt Buchstaben, Ziffern und . _ - + @ : /, nicht %2</translation>
    </message>
    <message>
        <source>--time takes minutes, hours:minutes:seconds or days-hours, such as 30, 2:00:00 or 1-12, not %1</source>
        <translation>--time nimmt Minuten, Stunden:Minuten:Sekunden oder Tage-Stunden, wie 30, 2:00:00 oder 1-12, nicht %1</translation>
    </message>
    <message>
        <source>; PyTorch refuses them in a file without sends</source>
        <translation>; PyTorch lehnt sie in einer Datei ohne Senden ab</translation>
    </message>
    <message>
        <source>; did you mean %1?</source>
        <translation>; ist %1 gemeint?</translation>
    </message>
    <message>
        <source>; it has %1</source>
        <translation>; sie hat %1</translation>
    </message>
    <message>
        <source>; it has no tables</source>
        <translation>; sie hat keine Tabellen</translation>
    </message>
    <message>
        <source>; the least peak is %1 micro-batches, and %2 are asked for</source>
        <translation>; die kleinste Spitze ist %1 Micro-Batches, und %2 sind verlangt</translation>
    </message>
    <message>
        <source>; the least time is %1, and %2 are asked for</source>
        <translation>; die kleinste Zeit ist %1, und %2 sind verlangt</translation>
    </message>
    <message>
        <source>; the least time with at most %1 micro-batches is %2, and %3 are asked for</source>
        <translation>; die kleinste Zeit mit höchstens %1 Micro-Batches ist %2, und %3 sind verlangt</translation>
    </message>
    <message>
        <source>BW is a type of the older dialect only</source>
        <translation>BW ist nur im älteren Dialekt ein Typ</translation>
    </message>
    <message>
        <source>Choose one of the schedules of this level.</source>
        <translation>Einen der Ablaufpläne dieses Levels wählen.</translation>
    </message>
    <message>
        <source>Devices and stages have changed; they are locked here.</source>
        <translation>Geräte und Stufen sind geändert; sie sind hier gesperrt.</translation>
    </message>
    <message>
        <source>E comes first of all, and L last</source>
        <translation>E kommt als Erstes und L als Letztes</translation>
    </message>
    <message>
        <source>File name too long</source>
        <translation>Der Dateiname ist zu lang</translation>
    </message>
    <message>
        <source>Galvatron has stage k on rank k, one stage a rank; this schedule has another placement</source>
        <translation>Galvatron hat Stufe k auf Rang k, eine Stufe je Rang; dieser Ablaufplan hat eine andere Platzierung</translation>
    </message>
    <message>
        <source>Input/output error</source>
        <translation>Ein-/Ausgabefehler</translation>
    </message>
    <message>
        <source>Invalid encoding in string.</source>
        <translation>Ungültige Kodierung im Text.</translation>
    </message>
    <message>
        <source>Invalid escape character in string.</source>
        <translation>Ungültiges Escape-Zeichen im Text.</translation>
    </message>
    <message>
        <source>Invalid value.</source>
        <translation>Ungültiger Wert.</translation>
    </message>
    <message>
        <source>Is a directory</source>
        <translation>Das ist ein Ordner</translation>
    </message>
    <message>
        <source>Megatron has stage k on rank k mod P; here stage %1 is on device %2 of %3</source>
        <translation>Megatron hat Stufe k auf Rang k mod P; hier ist Stufe %1 auf Gerät %2 von %3</translation>
    </message>
    <message>
        <source>Megatron&apos;s order has no %1</source>
        <translation>Megatrons Reihenfolge hat keinen Platz für %1</translation>
    </message>
    <message>
        <source>Missing a closing quotation mark in string.</source>
        <translation>Dem Text fehlt das schließende Anführungszeichen.</translation>
    </message>
    <message>
        <source>Missing a colon after a name of object member.</source>
        <translation>Nach dem Namen eines Elements fehlt ein Doppelpunkt.</translation>
    </message>
    <message>
        <source>Missing a comma or &apos;]&apos; after an array element.</source>
        <translation>Nach einem Element der Liste fehlt ein Komma oder „]“.</translation>
    </message>
    <message>
        <source>Missing a comma or &apos;}&apos; after an object member.</source>
        <translation>Nach einem Element des Objekts fehlt ein Komma oder „}“.</translation>
    </message>
    <message>
        <source>Missing a name for object member.</source>
        <translation>Einem Element des Objekts fehlt der Name.</translation>
    </message>
    <message>
        <source>No space left on device</source>
        <translation>Kein Platz mehr auf dem Datenträger</translation>
    </message>
    <message>
        <source>No such file or directory</source>
        <translation>Datei oder Ordner nicht gefunden</translation>
    </message>
    <message>
        <source>Not a directory</source>
        <translation>Das ist kein Ordner</translation>
    </message>
    <message>
        <source>Number too big to be stored in double.</source>
        <translation>Die Zahl ist zu groß.</translation>
    </message>
    <message>
        <source>Operation not permitted</source>
        <translation>Die Operation ist nicht erlaubt</translation>
    </message>
    <message>
        <source>Passes of the block have changed; only their places are free here.</source>
        <translation>Durchläufe des Bausteins sind geändert; hier sind nur ihre Plätze frei.</translation>
    </message>
    <message>
        <source>Permission denied</source>
        <translation>Keine Berechtigung</translation>
    </message>
    <message>
        <source>Primus has as many chunks on every rank; here device 0 has %1 and another %2</source>
        <translation>Primus hat auf jedem Rang gleich viele Chunks; hier hat Gerät 0 %1 und ein anderes %2</translation>
    </message>
    <message>
        <source>Primus&apos;s table has no %1</source>
        <translation>Primus&apos; Tabelle hat keinen Platz für %1</translation>
    </message>
    <message>
        <source>PyTorch&apos;s schedule file has no %1</source>
        <translation>PyTorchs Ablaufplandatei hat keinen Platz für %1</translation>
    </message>
    <message>
        <source>PyTorch&apos;s schedule file has no waits; %1 is one</source>
        <translation>PyTorchs Ablaufplandatei hat kein Warten; %1 ist eines</translation>
    </message>
    <message>
        <source>Read-only file system</source>
        <translation>Das Dateisystem ist nur lesbar</translation>
    </message>
    <message>
        <source>The block of this level is gone.</source>
        <translation>Der Baustein dieses Levels ist weg.</translation>
    </message>
    <message>
        <source>The document is empty.</source>
        <translation>Das Dokument ist leer.</translation>
    </message>
    <message>
        <source>The document root must not be followed by other values.</source>
        <translation>Auf die Wurzel des Dokuments darf nichts folgen.</translation>
    </message>
    <message>
        <source>The number of micro-batches has changed; it is locked here.</source>
        <translation>Die Zahl der Micro-Batches ist geändert; sie ist hier gesperrt.</translation>
    </message>
    <message>
        <source>The times of the passes have changed; they are locked here.</source>
        <translation>Die Zeiten der Durchläufe sind geändert; sie sind hier gesperrt.</translation>
    </message>
    <message>
        <source>This schedule is not among those of the level.</source>
        <translation>Dieser Ablaufplan ist nicht unter denen des Levels.</translation>
    </message>
    <message>
        <source>Too many levels of symbolic links</source>
        <translation>Zu viele Ebenen symbolischer Links</translation>
    </message>
    <message>
        <source>Too many open files</source>
        <translation>Zu viele offene Dateien</translation>
    </message>
    <message>
        <source>TorchTitan and NeMo AutoModel know three placements: a stage a rank, stage k on rank k mod P, and a V of two; this schedule has another one. emit torch writes a driver that takes any placement of one route</source>
        <translation>TorchTitan und NeMo AutoModel kennen drei Platzierungen: eine Stufe je Rang, Stufe k auf Rang k mod P und ein V aus zweien; dieser Ablaufplan hat eine andere. emit torch schreibt einen Treiber, der jede Platzierung mit einer Route nimmt</translation>
    </message>
    <message>
        <source>&quot;%1&quot; in the model is not %2</source>
        <translation>&quot;%1&quot; im Modell ist nicht %2</translation>
    </message>
    <message>
        <source>a U appears in an order without updates</source>
        <translation>ein U steht in einer Reihenfolge ohne Updates</translation>
    </message>
    <message>
        <source>a U has no segment</source>
        <translation>ein U hat kein Segment</translation>
    </message>
    <message>
        <source>a U has no segment, and one of the routes</source>
        <translation>ein U hat kein Segment und eine der Routen</translation>
    </message>
    <message>
        <source>a V-shaped schedule holds at least 2 chunk activations (1 micro-batch) on a device; the limit is %1</source>
        <translation>ein V-förmiger Ablaufplan hält mindestens 2 Chunk-Aktivierungen (1 Micro-Batch) auf einem Gerät; die Grenze ist %1</translation>
    </message>
    <message>
        <source>a W appears here and no I anywhere, so this looks like the older dialect</source>
        <translation>hier steht ein W und nirgends ein I, das sieht also nach dem älteren Dialekt aus</translation>
    </message>
    <message>
        <source>a \ comes before the character that it escapes; \\ is a backslash</source>
        <translation>ein \ kommt vor das Zeichen, das es schützt; \\ ist ein Backslash</translation>
    </message>
    <message>
        <source>a block has no U; updates are added to the schedule</source>
        <translation>ein Baustein hat kein U; Updates kommen zum Ablaufplan</translation>
    </message>
    <message>
        <source>a block of more than %1 passes</source>
        <translation>ein Baustein von mehr als %1 Durchläufen</translation>
    </message>
    <message>
        <source>a building block has no overlapped pairs; overlap is 1</source>
        <translation>ein Baustein hat keine überlappten Paare; overlap ist 1</translation>
    </message>
    <message>
        <source>a building block has no pairs</source>
        <translation>ein Baustein hat keine Paare</translation>
    </message>
    <message>
        <source>a byte order mark is left out</source>
        <translation>eine Byte-Reihenfolge-Marke wird ausgelassen</translation>
    </message>
    <message>
        <source>a communicating file has no blank fields</source>
        <translation>eine Datei mit Kommunikation hat keine leeren Felder</translation>
    </message>
    <message>
        <source>a device holds %1; 1F1B with micro-batches of one needs %2</source>
        <translation>ein Gerät hält %1; 1F1B mit Micro-Batches von einer braucht %2</translation>
    </message>
    <message>
        <source>a digit right behind a number cannot be told from it</source>
        <translation>eine Ziffer direkt hinter einer Zahl lässt sich nicht von ihr unterscheiden</translation>
    </message>
    <message>
        <source>a division by 0</source>
        <translation>eine Division durch 0</translation>
    </message>
    <message>
        <source>a family comes with the spec that it makes, and without orders</source>
        <translation>eine Familie kommt mit der Vorgabe, die sie macht, und ohne Reihenfolgen</translation>
    </message>
    <message>
        <source>a field is written name=value</source>
        <translation>ein Feld wird als name=value geschrieben</translation>
    </message>
    <message>
        <source>a file has at most %1 devices</source>
        <translation>eine Datei hat höchstens %1 Geräte</translation>
    </message>
    <message>
        <source>a global batch of %1 is not whole in %2 of micro-batches of %3; a batch of %4 would be, or %5</source>
        <translation>ein globaler Batch von %1 lässt sich nicht ganz auf %2 mit Micro-Batches von %3 verteilen; möglich wäre ein Batch von %4, oder %5</translation>
    </message>
    <message>
        <source>a goal on the bubble cannot be searched over all orders; give makespan_ms instead</source>
        <translation>ein Ziel für die Bubble lässt sich nicht über alle Reihenfolgen suchen; stattdessen makespan_ms angeben</translation>
    </message>
    <message>
        <source>a kind has 1 to %1 accelerators, as in h100:32,a100:32, not %2</source>
        <translation>eine Sorte hat 1 bis %1 Beschleuniger, wie in h100:32,a100:32, nicht %2</translation>
    </message>
    <message>
        <source>a label&apos;s number is beyond all slices</source>
        <translation>die Nummer einer Beschriftung liegt hinter allen Abschnitten</translation>
    </message>
    <message>
        <source>a layout has one E, the embedding, and begins with it; this one has %1</source>
        <translation>ein Layout hat ein E, die Einbettung, und beginnt damit; dieses hat %1</translation>
    </message>
    <message>
        <source>a list for rank %1; at most %2 ranks are read</source>
        <translation>eine Liste für Rang %1; höchstens %2 Ränge werden gelesen</translation>
    </message>
    <message>
        <source>a list of nodes is expected</source>
        <translation>eine Liste von Knoten wird erwartet</translation>
    </message>
    <message>
        <source>a memory limit is at least 1 byte</source>
        <translation>eine Speichergrenze ist mindestens 1 Byte</translation>
    </message>
    <message>
        <source>a model gives tables of costs, not equal stages</source>
        <translation>ein Modell gibt Tabellen von Kosten, keine gleichen Stufen</translation>
    </message>
    <message>
        <source>a model with %1 experts sends a token to %2 of width %3; at least 1 each</source>
        <translation>ein Modell mit %1 Experten schickt ein Token an %2 der Breite %3; mindestens je 1</translation>
    </message>
    <message>
        <source>a node is expected, an object with type, stage and microbatch</source>
        <translation>ein Knoten wird erwartet, ein Objekt mit type, stage und microbatch</translation>
    </message>
    <message>
        <source>a number beyond 64 bits</source>
        <translation>eine Zahl von mehr als 64 Bit</translation>
    </message>
    <message>
        <source>a number or a name is expected, not %1</source>
        <translation>eine Zahl oder ein Name wird erwartet, nicht %1</translation>
    </message>
    <message>
        <source>a number or a name is missing at the end of the line</source>
        <translation>am Ende der Zeile fehlt eine Zahl oder ein Name</translation>
    </message>
    <message>
        <source>a pair cannot overlap F and backward of one micro-batch and stage</source>
        <translation>ein Paar kann nicht F und Backward desselben Micro-Batches und derselben Stufe überlappen</translation>
    </message>
    <message>
        <source>a pair ends with )OVERLAP_F_B</source>
        <translation>ein Paar endet mit )OVERLAP_F_B</translation>
    </message>
    <message>
        <source>a pair has two passes</source>
        <translation>ein Paar hat zwei Durchläufe</translation>
    </message>
    <message>
        <source>a pair is one F and one B or I</source>
        <translation>ein Paar ist ein F und ein B oder I</translation>
    </message>
    <message>
        <source>a pair is two passes in brackets</source>
        <translation>ein Paar ist zwei Durchläufe in Klammern</translation>
    </message>
    <message>
        <source>a pair joins its two passes with +</source>
        <translation>ein Paar verbindet seine zwei Durchläufe mit +</translation>
    </message>
    <message>
        <source>a pair of more than two passes</source>
        <translation>ein Paar aus mehr als zwei Durchläufen</translation>
    </message>
    <message>
        <source>a par for the memory of a block needs a goal for its interval</source>
        <translation>ein Par für den Speicher eines Bausteins braucht ein Ziel für sein Intervall</translation>
    </message>
    <message>
        <source>a pass begins with F, B, W, BW or R, not %1</source>
        <translation>ein Durchlauf beginnt mit F, B, W, BW oder R, nicht %1</translation>
    </message>
    <message>
        <source>a pass goes ahead by at least 1 place, not %1</source>
        <translation>ein Durchlauf rückt um mindestens 1 Platz vor, nicht %1</translation>
    </message>
    <message>
        <source>a pass takes 0 ms or more</source>
        <translation>ein Durchlauf dauert 0 ms oder mehr</translation>
    </message>
    <message>
        <source>a pass takes at most %1</source>
        <translation>ein Durchlauf dauert höchstens %1</translation>
    </message>
    <message>
        <source>a pass takes no time; a search needs at least 1 ns for each</source>
        <translation>ein Durchlauf dauert keine Zeit; eine Suche braucht für jeden mindestens 1 ns</translation>
    </message>
    <message>
        <source>a pattern has 1 to %1 bytes, not %2</source>
        <translation>ein Muster hat 1 bis %1 Bytes, nicht %2</translation>
    </message>
    <message>
        <source>a pipeline has one route or two, with replicas up to %1</source>
        <translation>eine Pipeline hat eine Route oder zwei, mit Replikaten bis zu %1</translation>
    </message>
    <message>
        <source>a pipeline has one route or two, with replicas up to %1, not %2</source>
        <translation>eine Pipeline hat eine Route oder zwei, mit Replikaten bis zu %1, nicht %2</translation>
    </message>
    <message>
        <source>a pipeline of 1 rank has nothing between a forward and its backward under which activations could go to the host and come back; 2 pipeline ranks would do, or --offload none</source>
        <translation>eine Pipeline von 1 Rang hat zwischen einem Forward und seinem Backward nichts, währenddessen Aktivierungen zum Host und zurück könnten; 2 Pipeline-Ränge reichen, oder --offload none</translation>
    </message>
    <message>
        <source>a pipeline rank has %1 devices, and would stand on two kinds: the %2 %3 are not whole in such ranks; with %4%5 they would be, or with ranks of %6</source>
        <translation>ein Pipeline-Rang hat %1 Geräte und stünde auf zwei Sorten: die %2 %3 gehen in solchen Rängen nicht auf; mit %4%5 gingen sie auf, oder mit Rängen von %6</translation>
    </message>
    <message>
        <source>a rank keeps at least 1 stage gathered, not %1</source>
        <translation>ein Rang hält mindestens 1 Stufe gesammelt, nicht %1</translation>
    </message>
    <message>
        <source>a receive is posted at least 0 passes before its use, not %1</source>
        <translation>ein Empfangen wird mindestens 0 Durchläufe vor seinem Gebrauch angemeldet, nicht %1</translation>
    </message>
    <message>
        <source>a recomputation that takes another time than its forward cannot be said in a lesson</source>
        <translation>eine Neuberechnung, die anders lange dauert als ihr Forward, lässt sich in einer Lektion nicht sagen</translation>
    </message>
    <message>
        <source>a rule has at most %1 bytes; this one has %2</source>
        <translation>eine Regel hat höchstens %1 Bytes; diese hat %2</translation>
    </message>
    <message>
        <source>a rule says what kind of pass a name is: {kind}, or {kind=F}</source>
        <translation>eine Regel sagt, welche Art von Durchlauf ein Name ist: {kind} oder {kind=F}</translation>
    </message>
    <message>
        <source>a rules file is an object</source>
        <translation>eine Regeldatei ist ein Objekt</translation>
    </message>
    <message>
        <source>a schedule has %1 annotations; it can have %2</source>
        <translation>ein Ablaufplan hat %1 Anmerkungen; möglich sind %2</translation>
    </message>
    <message>
        <source>a sharded optimizer needs several copies of every stage, and there is one; 2 replicas or more make it possible</source>
        <translation>ein verteilter Optimierer braucht mehrere Kopien jeder Stufe, und es gibt eine; möglich ist es ab 2 Replikaten</translation>
    </message>
    <message>
        <source>a stage has one rank</source>
        <translation>eine Stufe hat einen Rang</translation>
    </message>
    <message>
        <source>a step has its number: {iteration}</source>
        <translation>ein Schritt hat seine Nummer: {iteration}</translation>
    </message>
    <message>
        <source>a whole number from 1 on</source>
        <translation>eine ganze Zahl ab 1</translation>
    </message>
    <message>
        <source>a whole number is expected, not %1</source>
        <translation>eine ganze Zahl wird erwartet, nicht %1</translation>
    </message>
    <message>
        <source>a word and its kind: {kind:fprop=F,bprop=BW}</source>
        <translation>ein Wort und seine Art: {kind:fprop=F,bprop=BW}</translation>
    </message>
    <message>
        <source>a zero byte</source>
        <translation>ein Nullbyte</translation>
    </message>
    <message>
        <source>a zero-bubble order needs at least 1 device and 1 micro-batch, not %1 and %2</source>
        <translation>eine Zero-Bubble-Reihenfolge braucht mindestens 1 Gerät und 1 Micro-Batch, nicht %1 und %2</translation>
    </message>
    <message>
        <source>activations</source>
        <translation>Aktivierungen</translation>
    </message>
    <message>
        <source>activations that go to the host&apos;s memory are of micro-batches of another shape than that of replicas of stages; keep them on the device</source>
        <translation>Aktivierungen, die in den Speicher des Hosts gehen, sind von Micro-Batches einer anderen Form als der von Replikaten von Stufen; sie auf dem Gerät behalten</translation>
    </message>
    <message>
        <source>activations that wait in the host&apos;s memory cannot be said in a lesson</source>
        <translation>Aktivierungen, die im Speicher des Hosts warten, lassen sich in einer Lektion nicht sagen</translation>
    </message>
    <message>
        <source>add &apos;placement: looped %1&apos;, &apos;placement: v&apos; or another placement</source>
        <translation>&apos;placement: looped %1&apos;, &apos;placement: v&apos; oder eine andere Platzierung dazuschreiben</translation>
    </message>
    <message>
        <source>add it %1 this field</source>
        <translation>es %1 diesem Feld einfügen</translation>
    </message>
    <message>
        <source>after</source>
        <translation>nach</translation>
    </message>
    <message>
        <source>an expression that is nested deeper than %1</source>
        <translation>ein Ausdruck, der tiefer verschachtelt ist als %1</translation>
    </message>
    <message>
        <source>an interval of %1 cannot be searched; 1 to 64</source>
        <translation>ein Intervall von %1 lässt sich nicht durchsuchen; 1 bis 64</translation>
    </message>
    <message>
        <source>an overlapped pair is an F and a B or BW</source>
        <translation>ein überlapptes Paar ist ein F und ein B oder BW</translation>
    </message>
    <message>
        <source>an update after every micro-batch would let %1 replicas drift apart; with one update a step, as in pipedream-2bw, there can be replicas</source>
        <translation>ein Update nach jedem Micro-Batch ließe %1 Replikate auseinanderlaufen; mit einem Update je Schritt, wie in pipedream-2bw, kann es Replikate geben</translation>
    </message>
    <message>
        <source>and so it is with %1 more kinds of passes</source>
        <translation>und so ist es bei %1 weiteren Arten von Durchläufen</translation>
    </message>
    <message>
        <source>annotation %1</source>
        <translation>Anmerkung %1</translation>
    </message>
    <message>
        <source>appears twice</source>
        <translation>kommt zweimal vor</translation>
    </message>
    <message>
        <source>bandwidth is %1 byte/s; above 0</source>
        <translation>die Bandbreite ist %1 Byte/s; über 0</translation>
    </message>
    <message>
        <source>before</source>
        <translation>vor</translation>
    </message>
    <message>
        <source>behind</source>
        <translation>hinter</translation>
    </message>
    <message>
        <source>blanks around %1 fields are cut</source>
        <translation>Leerzeichen um %1 Felder werden abgeschnitten</translation>
    </message>
    <message>
        <source>block %1 of the sequence: </source>
        <translation>Baustein %1 der Folge: </translation>
    </message>
    <message>
        <source>blocks: %1</source>
        <translation>Bausteine: %1</translation>
    </message>
    <message>
        <source>both segments and segment-lengths are given</source>
        <translation>segments und segment-lengths sind beide angegeben</translation>
    </message>
    <message>
        <source>brackets nest deeper than %1</source>
        <translation>Klammern liegen tiefer ineinander als %1</translation>
    </message>
    <message>
        <source>buffer</source>
        <translation>Puffer</translation>
    </message>
    <message>
        <source>buffers</source>
        <translation>Puffer</translation>
    </message>
    <message>
        <source>cannot keep what comes from %1 in %2</source>
        <translation>was von %1 kommt, lässt sich nicht in %2 ablegen</translation>
    </message>
    <message>
        <source>cannot list %1: %2</source>
        <translation>%1 lässt sich nicht auflisten: %2</translation>
    </message>
    <message>
        <source>cannot make %1: %2</source>
        <translation>%1 lässt sich nicht anlegen: %2</translation>
    </message>
    <message>
        <source>cannot open %1</source>
        <translation>%1 lässt sich nicht öffnen</translation>
    </message>
    <message>
        <source>cannot open %1: %2</source>
        <translation>%1 lässt sich nicht öffnen: %2</translation>
    </message>
    <message>
        <source>cannot read %1</source>
        <translation>%1 ist nicht lesbar</translation>
    </message>
    <message>
        <source>cannot read %1: %2</source>
        <translation>%1 ist nicht lesbar: %2</translation>
    </message>
    <message>
        <source>cannot read %1: it is a device and no file</source>
        <translation>%1 ist nicht lesbar: es ist ein Gerät und keine Datei</translation>
    </message>
    <message>
        <source>cannot read %1: it is a folder</source>
        <translation>%1 ist nicht lesbar: es ist ein Ordner</translation>
    </message>
    <message>
        <source>cannot write %1: %2</source>
        <translation>%1 lässt sich nicht schreiben: %2</translation>
    </message>
    <message>
        <source>cannot write %1: %2; the new content is in %3</source>
        <translation>%1 lässt sich nicht schreiben: %2; der neue Inhalt ist in %3</translation>
    </message>
    <message>
        <source>cannot write %1: it is a folder</source>
        <translation>%1 lässt sich nicht schreiben: es ist ein Ordner</translation>
    </message>
    <message>
        <source>cannot write %1: it is read-only</source>
        <translation>%1 lässt sich nicht schreiben: es ist schreibgeschützt</translation>
    </message>
    <message>
        <source>chunk %1; device %2 has %3</source>
        <translation>Chunk %1; Gerät %2 hat %3</translation>
    </message>
    <message>
        <source>chunks</source>
        <translation>Chunks</translation>
    </message>
    <message>
        <source>column</source>
        <translation>Spalte</translation>
    </message>
    <message>
        <source>committed messages hold up their senders, for which no interval is made</source>
        <translation>Nachrichten mit der Regel committed halten ihre Sender auf; dafür wird kein Intervall gemacht</translation>
    </message>
    <message>
        <source>costs.origin.model: %1</source>
        <translation>costs.origin.model: %1</translation>
    </message>
    <message>
        <source>costs.tables: %1</source>
        <translation>costs.tables: %1</translation>
    </message>
    <message>
        <source>costs: %1 has %2 bytes; at least 0</source>
        <translation>Kosten: %1 hat %2 Bytes; mindestens 0</translation>
    </message>
    <message>
        <source>costs: %1 has %2 entries; %3 are needed</source>
        <translation>Kosten: %1 hat %2 Einträge; %3 sind nötig</translation>
    </message>
    <message>
        <source>costs: a link has a negative latency or bandwidth</source>
        <translation>Kosten: eine Leitung hat eine negative Latenz oder Bandbreite</translation>
    </message>
    <message>
        <source>costs: a memory limit is negative</source>
        <translation>Kosten: eine Speichergrenze ist negativ</translation>
    </message>
    <message>
        <source>costs: activation has %1 entries; %2 are needed</source>
        <translation>Kosten: activation hat %1 Einträge; %2 sind nötig</translation>
    </message>
    <message>
        <source>costs: activations and weights of so many bytes add up beyond 64 bits</source>
        <translation>Kosten: Aktivierungen und Gewichte von so vielen Bytes ergeben zusammen mehr als 64 Bit</translation>
    </message>
    <message>
        <source>costs: links are given for %1 pairs; %2 are needed</source>
        <translation>Kosten: Leitungen sind für %1 Paare gegeben; %2 sind nötig</translation>
    </message>
    <message>
        <source>costs: memory limits are given for %1 of %2 devices</source>
        <translation>Kosten: Speichergrenzen sind für %1 von %2 Geräten gegeben</translation>
    </message>
    <message>
        <source>costs: shares of activations add up beyond 64 bits</source>
        <translation>Kosten: die Anteile der Aktivierungen ergeben zusammen mehr als 64 Bit</translation>
    </message>
    <message>
        <source>costs: single times are not sorted, or one is double</source>
        <translation>Kosten: einzelne Zeiten sind nicht sortiert, oder eine ist doppelt</translation>
    </message>
    <message>
        <source>costs: the activation limit is negative</source>
        <translation>Kosten: die Aktivierungsgrenze ist negativ</translation>
    </message>
    <message>
        <source>costs: the link trace needs rising starts and slowdowns above 0</source>
        <translation>Kosten: der Verlauf der Leitungen braucht steigende Anfänge und Verlangsamungen über 0</translation>
    </message>
    <message>
        <source>costs: the time of a message can be %1 s; so many of them add up beyond 64 bits</source>
        <translation>Kosten: eine Nachricht kann %1 s dauern; so viele davon ergeben zusammen mehr als 64 Bit</translation>
    </message>
    <message>
        <source>costs: what is kept for W and for recomputation is between 0 and the whole activation</source>
        <translation>Kosten: was für W und für die Neuberechnung gehalten wird, liegt zwischen 0 und der ganzen Aktivierung</translation>
    </message>
    <message>
        <source>deadlock: %1</source>
        <translation>Deadlock: %1</translation>
    </message>
    <message>
        <source>delete it</source>
        <translation>löschen</translation>
    </message>
    <message>
        <source>delete one</source>
        <translation>eines löschen</translation>
    </message>
    <message>
        <source>delete the field</source>
        <translation>das Feld löschen</translation>
    </message>
    <message>
        <source>device %1 cannot start %2: it holds %3 micro-batches of activation, and the limit is %4</source>
        <translation>Gerät %1 kann %2 nicht beginnen: es hält %3 Micro-Batches Aktivierung, und die Grenze ist %4</translation>
    </message>
    <message>
        <source>device %1 cannot start %2: it holds %3 of activation, and the limit leaves %4</source>
        <translation>Gerät %1 kann %2 nicht beginnen: es hält %3 Aktivierung, und die Grenze lässt %4</translation>
    </message>
    <message>
        <source>device %1 gets more passes than there are: %2</source>
        <translation>Gerät %1 bekommt mehr Durchläufe, als es gibt: %2</translation>
    </message>
    <message>
        <source>device %1 has a line; devices are 0 to %2</source>
        <translation>Gerät %1 hat eine Zeile; Geräte sind 0 bis %2</translation>
    </message>
    <message>
        <source>device %1 has no entry %2</source>
        <translation>Gerät %1 hat keinen Eintrag %2</translation>
    </message>
    <message>
        <source>device %1 has no free stretch of %2 in the interval %3 for %4</source>
        <translation>Gerät %1 hat im Intervall %3 keine freie Strecke von %2 für %4</translation>
    </message>
    <message>
        <source>device %1 has no line</source>
        <translation>Gerät %1 hat keine Zeile</translation>
    </message>
    <message>
        <source>device %1 has no position %2; it has %3 entries</source>
        <translation>Gerät %1 hat keine Stelle %2; es hat %3 Einträge</translation>
    </message>
    <message>
        <source>device %1 has two lines</source>
        <translation>Gerät %1 hat zwei Zeilen</translation>
    </message>
    <message>
        <source>device %1 misses %2</source>
        <translation>Gerät %1 fehlt %2</translation>
    </message>
    <message>
        <source>device %1 needs %2 micro-batches of activation with %3 at %4; the limit is %5</source>
        <translation>Gerät %1 braucht %2 Micro-Batches Aktivierung mit %3 bei %4; die Grenze ist %5</translation>
    </message>
    <message>
        <source>device %1 needs %2 with %3 at %4; the limit is %5</source>
        <translation>Gerät %1 braucht %2 mit %3 bei %4; die Grenze ist %5</translation>
    </message>
    <message>
        <source>device %1 needs 1 micro-batch of activation with %2 at %3; the limit is %4</source>
        <translation>Gerät %1 braucht 1 Micro-Batch Aktivierung mit %2 bei %3; die Grenze ist %4</translation>
    </message>
    <message>
        <source>device %1 waits in %2 for %3</source>
        <translation>Gerät %1 wartet in %2 auf %3</translation>
    </message>
    <message>
        <source>device %1 would have more than %2 entries</source>
        <translation>Gerät %1 hätte mehr als %2 Einträge</translation>
    </message>
    <message>
        <source>device %1, entry %2: %3</source>
        <translation>Gerät %1, Eintrag %2: %3</translation>
    </message>
    <message>
        <source>device %1: %2 at %3 and %4 at %5 meet at %6 of interval %7</source>
        <translation>Gerät %1: %2 bei %3 und %4 bei %5 treffen sich bei %6 des Intervalls %7</translation>
    </message>
    <message>
        <source>device %1: %2 takes %3 and meets its own repetition at %4 of interval %5</source>
        <translation>Gerät %1: %2 dauert %3 und trifft bei %4 des Intervalls %5 auf seine eigene Wiederholung</translation>
    </message>
    <message>
        <source>device %1; a file has at most %2 devices</source>
        <translation>Gerät %1; eine Datei hat höchstens %2 Geräte</translation>
    </message>
    <message>
        <source>devices and placement are not those of the first block</source>
        <translation>Geräte und Platzierung sind nicht die des ersten Bausteins</translation>
    </message>
    <message>
        <source>devices have %1 chunks, and no line says which stages these are</source>
        <translation>Geräte haben %1 Chunks, und keine Zeile sagt, welche Stufen das sind</translation>
    </message>
    <message>
        <source>devices is %1, but device %2 has %3 entries</source>
        <translation>devices ist %1, aber Gerät %2 hat %3 Einträge</translation>
    </message>
    <message>
        <source>devices is %1; at least 1</source>
        <translation>devices ist %1; mindestens 1</translation>
    </message>
    <message>
        <source>devices is %1; at most %2</source>
        <translation>devices ist %1; höchstens %2</translation>
    </message>
    <message>
        <source>devices is %1; chimera needs an even number: two pipelines meet in the middle</source>
        <translation>devices ist %1; chimera braucht eine gerade Zahl: zwei Pipelines treffen sich in der Mitte</translation>
    </message>
    <message>
        <source>devices is %1; dualpipe needs an even number: two directions meet in the middle</source>
        <translation>devices ist %1; dualpipe braucht eine gerade Zahl: zwei Richtungen treffen sich in der Mitte</translation>
    </message>
    <message>
        <source>early or committed</source>
        <translation>early oder committed</translation>
    </message>
    <message>
        <source>else stands in no if</source>
        <translation>else steht in keinem if</translation>
    </message>
    <message>
        <source>entry %1 of device %2 is an overlapped pair, whose backward stays as it is</source>
        <translation>Eintrag %1 von Gerät %2 ist ein überlapptes Paar, dessen Backward bleibt, wie es ist</translation>
    </message>
    <message>
        <source>expert parallelism %1 is for a model with experts; this one has none; 1 would do</source>
        <translation>Experten-Parallelität %1 ist für ein Modell mit Experten; dieses hat keine; mit 1 ginge es</translation>
    </message>
    <message>
        <source>field %1</source>
        <translation>Feld %1</translation>
    </message>
    <message>
        <source>field layer_group_idx is missing, and other nodes have it</source>
        <translation>das Feld layer_group_idx fehlt, und andere Knoten haben es</translation>
    </message>
    <message>
        <source>fields are separated by a semicolon</source>
        <translation>Felder sind durch ein Semikolon getrennt</translation>
    </message>
    <message>
        <source>fields that say nothing of a plan are left out: %1%2</source>
        <translation>Felder, die nichts über einen Plan sagen, werden weggelassen: %1%2</translation>
    </message>
    <message>
        <source>flush, stashed, double-buffered or none</source>
        <translation>flush, stashed, double-buffered oder none</translation>
    </message>
    <message>
        <source>give a smaller one</source>
        <translation>eine kleinere angeben</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>Gradienten</translation>
    </message>
    <message>
        <source>group is %1; at least %2 here</source>
        <translation>group ist %1; hier mindestens %2</translation>
    </message>
    <message>
        <source>has more passes than a lesson shows</source>
        <translation>hat mehr Durchläufe, als eine Lektion zeigt</translation>
    </message>
    <message>
        <source>here %1 is expected, not %2</source>
        <translation>hier wird %1 erwartet, nicht %2</translation>
    </message>
    <message>
        <source>here are %1 values; %2%3 are expected</source>
        <translation>hier sind %1 Werte; erwartet werden %2%3</translation>
    </message>
    <message>
        <source>how the clocks were aligned is &quot;%1&quot;, which is not a known way</source>
        <translation>wie die Uhren ausgerichtet wurden, ist &quot;%1&quot;; diese Art ist nicht bekannt</translation>
    </message>
    <message>
        <source>interval is %1; 1 to %2</source>
        <translation>das Intervall ist %1; 1 bis %2</translation>
    </message>
    <message>
        <source>interval is %1; device %2 works %3 for one block</source>
        <translation>das Intervall ist %1; Gerät %2 arbeitet %3 für einen Baustein</translation>
    </message>
    <message>
        <source>is misplaced</source>
        <translation>steht am falschen Platz</translation>
    </message>
    <message>
        <source>it</source>
        <translation>sie</translation>
    </message>
    <message>
        <source>it is packed by zstd, which this program was built without</source>
        <translation>es ist mit zstd gepackt, und dieses Programm wurde ohne zstd gebaut</translation>
    </message>
    <message>
        <source>it is too short</source>
        <translation>es ist zu kurz</translation>
    </message>
    <message>
        <source>iterations and the iterations between two choices of k are at least 1</source>
        <translation>die Iterationen und die Iterationen zwischen zwei Wahlen von k sind mindestens 1</translation>
    </message>
    <message>
        <source>its device is %1; it can be 0 or more</source>
        <translation>das Gerät ist %1; möglich ist 0 oder mehr</translation>
    </message>
    <message>
        <source>its par is not proven: %1</source>
        <translation>sein Par ist nicht bewiesen: %1</translation>
    </message>
    <message>
        <source>its part of the pass is %1; it can be 0 to 1</source>
        <translation>der Anteil am Durchlauf ist %1; möglich ist 0 bis 1</translation>
    </message>
    <message>
        <source>its place down the lane is %1; it can be 0 to 1</source>
        <translation>die Stelle in der Höhe der Spur ist %1; möglich ist 0 bis 1</translation>
    </message>
    <message>
        <source>its time is %1 ns; it can be 0 or more</source>
        <translation>die Zeit ist %1 ns; möglich ist 0 oder mehr</translation>
    </message>
    <message>
        <source>its times are not taken: %1</source>
        <translation>die Zeiten werden nicht übernommen: %1</translation>
    </message>
    <message>
        <source>its times are not taken: %1 of %2 passes have none</source>
        <translation>die Zeiten werden nicht übernommen: %1 von %2 Durchläufen haben keine</translation>
    </message>
    <message>
        <source>keep every stage in one row</source>
        <translation>jede Stufe in einer Zeile halten</translation>
    </message>
    <message>
        <source>keeping was stopped; nothing of it is in %1</source>
        <translation>das Ablegen wurde angehalten; nichts davon ist in %1</translation>
    </message>
    <message>
        <source>kinds are F, B, W, BW, R and U</source>
        <translation>Arten sind F, B, W, BW, R und U</translation>
    </message>
    <message>
        <source>known are devices, micro-batches, steps, placement, routes, segments, segment-lengths, updates, messages, and d0, d1 …</source>
        <translation>bekannt sind devices, micro-batches, steps, placement, routes, segments, segment-lengths, updates, messages, und d0, d1 …</translation>
    </message>
    <message>
        <source>layer %1 has a negative time or size</source>
        <translation>Schicht %1 hat eine negative Zeit oder Größe</translation>
    </message>
    <message>
        <source>layer_group_idx %1 is on rank %2 here and on rank %3 before</source>
        <translation>layer_group_idx %1 ist hier auf Rang %2 und vorher auf Rang %3</translation>
    </message>
    <message>
        <source>layers are given for no stage</source>
        <translation>für keine Stufe sind Schichten gegeben</translation>
    </message>
    <message>
        <source>layers is %1; a plan takes at most %2</source>
        <translation>layers ist %1; ein Plan nimmt höchstens %2</translation>
    </message>
    <message>
        <source>&quot;%1&quot; in &quot;%2&quot; is not a count of layers; a split is even, ends, counts such as 7,8,8,7, or a layout such as E|t*8|t*8L</source>
        <translation>&quot;%1&quot; in &quot;%2&quot; ist keine Anzahl von Schichten; eine Aufteilung ist even, ends, Anzahlen wie 7,8,8,7 oder ein Layout wie E|t*8|t*8L</translation>
    </message>
    <message>
        <source>leave out the /</source>
        <translation>das / weglassen</translation>
    </message>
    <message>
        <source>leave out the @</source>
        <translation>das @ weglassen</translation>
    </message>
    <message>
        <source>leave the line out if there is one route</source>
        <translation>die Zeile weglassen, wenn es eine Route gibt</translation>
    </message>
    <message>
        <source>left out of the order: %1</source>
        <translation>aus der Reihenfolge weggelassen: %1</translation>
    </message>
    <message>
        <source>left out, %1</source>
        <translation>weggelassen, %1</translation>
    </message>
    <message>
        <source>line</source>
        <translation>Zeile</translation>
    </message>
    <message>
        <source>line %1, column %2: %3</source>
        <translation>Zeile %1, Spalte %2: %3</translation>
    </message>
    <message>
        <source>line %1: %2</source>
        <translation>Zeile %1: %2</translation>
    </message>
    <message>
        <source>line %1: there is no column &quot;%2&quot;</source>
        <translation>Zeile %1: es gibt keine Spalte &quot;%2&quot;</translation>
    </message>
    <message>
        <source>lines end with CR LF when written</source>
        <translation>Zeilen enden beim Schreiben mit CR LF</translation>
    </message>
    <message>
        <source>links of single pairs of devices</source>
        <translation>Leitungen einzelner Paare von Geräten</translation>
    </message>
    <message>
        <source>memory of B, of W and the memory limit must have %1 entries, one a stage</source>
        <translation>der Speicher von B, von W und die Speichergrenze müssen %1 Einträge haben, einen je Stufe</translation>
    </message>
    <message>
        <source>memory of stage %1 changes by %2, %3 and %4 at F, B and W: it must not fall below 0 and must end there</source>
        <translation>der Speicher von Stufe %1 ändert sich bei F, B und W um %2, %3 und %4: er darf nicht unter 0 fallen und muss dort enden</translation>
    </message>
    <message>
        <source>micro-batch %1 has no pass yet</source>
        <translation>Micro-Batch %1 hat noch keinen Durchlauf</translation>
    </message>
    <message>
        <source>micro-batch %1 occurs, but the file has only %2 passes</source>
        <translation>Micro-Batch %1 kommt vor, aber die Datei hat nur %2 Durchläufe</translation>
    </message>
    <message>
        <source>micro-batch %1 of stage %2 has %3 before %4</source>
        <translation>Micro-Batch %1 von Stufe %2 hat %3 vor %4</translation>
    </message>
    <message>
        <source>micro-batch %1 takes route %2, in the block route %3</source>
        <translation>Micro-Batch %1 nimmt Route %2, im Baustein Route %3</translation>
    </message>
    <message>
        <source>micro-batch %1 takes route %2, not %3</source>
        <translation>Micro-Batch %1 nimmt Route %2, nicht %3</translation>
    </message>
    <message>
        <source>micro-batch %1 takes route %2; there are %3</source>
        <translation>Micro-Batch %1 nimmt Route %2; es gibt %3</translation>
    </message>
    <message>
        <source>micro-batch %1, stage %2 and piece %3 of a sequence occur, but the plan has only %4 passes</source>
        <translation>Micro-Batch %1, Stufe %2 und Stück %3 einer Sequenz kommen vor, aber der Plan hat nur %4 Durchläufe</translation>
    </message>
    <message>
        <source>micro-batch is %1; 0 to %2</source>
        <translation>Micro-Batch ist %1; 0 bis %2</translation>
    </message>
    <message>
        <source>micro-batches %1 leaves a last group of %2; with groups of %3 it has to be none or at least %4, group %5 does it</source>
        <translation>micro-batches %1 lässt eine letzte Gruppe von %2; bei Gruppen von %3 muss sie leer sein oder mindestens %4 haben, mit group %5 geht es</translation>
    </message>
    <message>
        <source>micro-batches cannot grow over %1 steps</source>
        <translation>über %1 Schritte kann die Zahl der Micro-Batches nicht wachsen</translation>
    </message>
    <message>
        <source>micro-batches is %1; a block that repeats needs at least %2, which come round to the next chunk in time</source>
        <translation>micro-batches ist %1; ein Baustein, der sich wiederholt, braucht mindestens %2, die rechtzeitig zum nächsten Chunk herumkommen</translation>
    </message>
    <message>
        <source>micro-batches is %1; at least 1</source>
        <translation>micro-batches ist %1; mindestens 1</translation>
    </message>
    <message>
        <source>micro-batches is %1; dualpipe needs an even number: half of them in each direction</source>
        <translation>micro-batches ist %1; dualpipe braucht eine gerade Zahl: in jeder Richtung die Hälfte</translation>
    </message>
    <message>
        <source>micro-batches is %1; dualpipe needs at least 2(p-1) = %2 for %3 devices</source>
        <translation>micro-batches ist %1; dualpipe braucht mindestens 2(p-1) = %2 für %3 Geräte</translation>
    </message>
    <message>
        <source>micro-batches is %1; dualpipe-v needs at least 2p-1 = %2 for %3 devices</source>
        <translation>micro-batches ist %1; dualpipe-v braucht mindestens 2p-1 = %2 für %3 Geräte</translation>
    </message>
    <message>
        <source>micro-batches is %1; it has to be a multiple of the %2 devices</source>
        <translation>micro-batches ist %1; es muss ein Vielfaches der %2 Geräte sein</translation>
    </message>
    <message>
        <source>micro-batches is %1; pipedream-2bw needs at least one a device, %2, to get by with two weight versions</source>
        <translation>micro-batches ist %1; pipedream-2bw braucht mindestens einen je Gerät, %2, um mit zwei Gewichtsversionen auszukommen</translation>
    </message>
    <message>
        <source>micro-batches of %1</source>
        <translation>Micro-Batches von %1</translation>
    </message>
    <message>
        <source>more than %1 fields, the most that is read</source>
        <translation>mehr als %1 Felder, das Höchste, was gelesen wird</translation>
    </message>
    <message>
        <source>more than %1 lines, the most that is read</source>
        <translation>mehr als %1 Zeilen, das Höchste, was gelesen wird</translation>
    </message>
    <message>
        <source>more than %1 names in a file</source>
        <translation>mehr als %1 Namen in einer Datei</translation>
    </message>
    <message>
        <source>more than %1 nodes, the most that is read</source>
        <translation>mehr als %1 Knoten, das Höchste, was gelesen wird</translation>
    </message>
    <message>
        <source>more than %1 operations in a file</source>
        <translation>mehr als %1 Operationen in einer Datei</translation>
    </message>
    <message>
        <source>more than %1 parameters</source>
        <translation>mehr als %1 Parameter</translation>
    </message>
    <message>
        <source>more than %1 passes and pairs, the most that is read</source>
        <translation>mehr als %1 Durchläufe und Paare, das Höchste, was gelesen wird</translation>
    </message>
    <message>
        <source>more than %1 rows, the most that is read</source>
        <translation>mehr als %1 Zeilen, das Höchste, was gelesen wird</translation>
    </message>
    <message>
        <source>more than %1 statements, or more than %2 inside each other</source>
        <translation>mehr als %1 Anweisungen, oder mehr als %2 ineinander</translation>
    </message>
    <message>
        <source>more than %1 steps, which is more than an order of this size needs</source>
        <translation>mehr als %1 Schritte, mehr als eine Reihenfolge dieser Größe braucht</translation>
    </message>
    <message>
        <source>more than %1 words, the most that is read</source>
        <translation>mehr als %1 Wörter, das Höchste, was gelesen wird</translation>
    </message>
    <message>
        <source>more than 32 definitions</source>
        <translation>mehr als 32 Definitionen</translation>
    </message>
    <message>
        <source>more than 32 requirements</source>
        <translation>mehr als 32 Anforderungen</translation>
    </message>
    <message>
        <source>move it %1 column %2</source>
        <translation>%1 Spalte %2 verschieben</translation>
    </message>
    <message>
        <source>move it there</source>
        <translation>dorthin verschieben</translation>
    </message>
    <message>
        <source>no %1 was measured</source>
        <translation>es wurde kein %1 gemessen</translation>
    </message>
    <message>
        <source>no &apos;=&apos;; a rule is KIND=PATTERN, as in communication=*exchange*</source>
        <translation>kein &apos;=&apos;; eine Regel ist KIND=PATTERN, wie in communication=*exchange*</translation>
    </message>
    <message>
        <source>no ZB-V of %1 devices and %2 micro-batches keeps %3 chunk activations on a device</source>
        <translation>kein ZB-V mit %1 Geräten und %2 Micro-Batches hält %3 Chunk-Aktivierungen auf einem Gerät</translation>
    </message>
    <message>
        <source>no costs can be fitted: the order of the passes could not be recovered; %1</source>
        <translation>es lassen sich keine Kosten anpassen: die Reihenfolge der Durchläufe war nicht wiederzugewinnen; %1</translation>
    </message>
    <message>
        <source>no device has a line</source>
        <translation>kein Gerät hat eine Zeile</translation>
    </message>
    <message>
        <source>no file of the folder is a trace; %1</source>
        <translation>keine Datei des Ordners ist ein Trace; %1</translation>
    </message>
    <message>
        <source>no file to import</source>
        <translation>keine Datei zum Importieren</translation>
    </message>
    <message>
        <source>no line is one of a printed table, such as: f0 sf0 f1 sf1 b0 w0</source>
        <translation>keine Zeile gehört zu einer gedruckten Tabelle, wie: f0 sf0 f1 sf1 b0 w0</translation>
    </message>
    <message>
        <source>no list of nodes: a list a rank is expected, such as [[{&quot;type&quot;: &quot;F&quot;, &quot;stage&quot;: 0, &quot;microbatch&quot;: 0}]]</source>
        <translation>keine Liste von Knoten: erwartet wird eine Liste je Rang, wie [[{&quot;type&quot;: &quot;F&quot;, &quot;stage&quot;: 0, &quot;microbatch&quot;: 0}]]</translation>
    </message>
    <message>
        <source>no memory</source>
        <translation>kein Speicher</translation>
    </message>
    <message>
        <source>no micro-batch size divides the batch of %1 samples</source>
        <translation>keine Micro-Batch-Größe teilt den Batch von %1 Proben</translation>
    </message>
    <message>
        <source>no micro-batch takes route %1 of the copy</source>
        <translation>kein Micro-Batch nimmt Route %1 der Kopie</translation>
    </message>
    <message>
        <source>no node has layer_group_idx %1, but one has %2</source>
        <translation>kein Knoten hat layer_group_idx %1, aber einer hat %2</translation>
    </message>
    <message>
        <source>no number is given</source>
        <translation>es ist keine Zahl gegeben</translation>
    </message>
    <message>
        <source>no order fits the memory of stage %1: its limit is %2, but one micro-batch alone needs %3, which is the smallest limit that works</source>
        <translation>keine Reihenfolge passt in den Speicher von Stufe %1: ihre Grenze ist %2, aber ein Micro-Batch allein braucht %3, die kleinste Grenze, mit der es geht</translation>
    </message>
    <message>
        <source>no order meets the goals of the level%1</source>
        <translation>keine Reihenfolge erfüllt die Ziele des Levels%1</translation>
    </message>
    <message>
        <source>no order was found that stays within the memory%1</source>
        <translation>es wurde keine Reihenfolge gefunden, die innerhalb des Speichers bleibt%1</translation>
    </message>
    <message>
        <source>no pass can stand here</source>
        <translation>hier kann kein Durchlauf stehen</translation>
    </message>
    <message>
        <source>no pass is named</source>
        <translation>es ist kein Durchlauf genannt</translation>
    </message>
    <message>
        <source>no pass is named that could have a time of its own</source>
        <translation>es ist kein Durchlauf genannt, der eine eigene Zeit haben könnte</translation>
    </message>
    <message>
        <source>no pass is named; a device and its passes are as 1:B0.1</source>
        <translation>es ist kein Durchlauf genannt; ein Gerät und seine Durchläufe sind wie 1:B0.1</translation>
    </message>
    <message>
        <source>no pass of the schedule is recorded</source>
        <translation>kein Durchlauf des Ablaufplans ist aufgezeichnet</translation>
    </message>
    <message>
        <source>no pass starts like this</source>
        <translation>so beginnt kein Durchlauf</translation>
    </message>
    <message>
        <source>no plan fits %1 bytes a device; the smallest needs %2</source>
        <translation>kein Plan passt in %1 Bytes je Gerät; der kleinste braucht %2</translation>
    </message>
    <message>
        <source>no route is given</source>
        <translation>es ist keine Route gegeben</translation>
    </message>
    <message>
        <source>no row holds stage %1, but row %2 holds stage %3</source>
        <translation>keine Zeile hat Stufe %1, aber Zeile %2 hat Stufe %3</translation>
    </message>
    <message>
        <source>noise is for early messages, and those of this schedule are committed</source>
        <translation>Rauschen gilt für Nachrichten mit der Regel early, und die dieses Ablaufplans haben committed</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>not a number</source>
        <translation>keine Zahl</translation>
    </message>
    <message>
        <source>nothing is grabbed</source>
        <translation>nichts ist gegriffen</translation>
    </message>
    <message>
        <source>nothing is kept in %1: the order of the passes could not be recovered; %2</source>
        <translation>in %1 wird nichts abgelegt: die Reihenfolge der Durchläufe war nicht wiederzugewinnen; %2</translation>
    </message>
    <message>
        <source>nothing is recomputed there</source>
        <translation>dort wird nichts neu berechnet</translation>
    </message>
    <message>
        <source>nothing may follow %1</source>
        <translation>auf %1 darf nichts folgen</translation>
    </message>
    <message>
        <source>nothing meets the goals of the level</source>
        <translation>nichts erfüllt die Ziele des Levels</translation>
    </message>
    <message>
        <source>nothing was measured that a forecast could be made from</source>
        <translation>es wurde nichts gemessen, woraus sich eine Vorhersage machen ließe</translation>
    </message>
    <message>
        <source>offload: %1 begins behind its end; the smaller number comes first</source>
        <translation>Auslagern: %1 beginnt hinter seinem Ende; die kleinere Zahl kommt zuerst</translation>
    </message>
    <message>
        <source>offload: %1 is none of STAGE, STAGE:FIRST-LAST with micro-batches, or one of these with /SEGMENT behind it</source>
        <translation>Auslagern: %1 ist weder STAGE noch STAGE:FIRST-LAST mit Micro-Batches noch eines davon mit /SEGMENT dahinter</translation>
    </message>
    <message>
        <source>offload: cell %1 %2</source>
        <translation>Auslagern: Zelle %1 %2</translation>
    </message>
    <message>
        <source>offload: cells are named again and again</source>
        <translation>Auslagern: Zellen sind immer wieder genannt</translation>
    </message>
    <message>
        <source>offload: cells are not sorted, or one is double: %1</source>
        <translation>Auslagern: Zellen sind nicht sortiert, oder eine ist doppelt: %1</translation>
    </message>
    <message>
        <source>offload: the copies to the host take %1 s in all, which is beyond 64 bits; the link carries %2 bytes/s</source>
        <translation>Auslagern: die Kopien zum Host dauern zusammen %1 s, was über 64 Bit hinausgeht; die Leitung trägt %2 Bytes/s</translation>
    </message>
    <message>
        <source>offload: the link to the host has a negative latency or bandwidth</source>
        <translation>Auslagern: die Leitung zum Host hat eine negative Latenz oder Bandbreite</translation>
    </message>
    <message>
        <source>offload: there is no %1 %2; the last is %3</source>
        <translation>Auslagern: %1 %2 gibt es nicht; möglich ist höchstens %3</translation>
    </message>
    <message>
        <source>offload: there is no limit of memory that the activations would have to fit under</source>
        <translation>Auslagern: es gibt keine Speichergrenze, unter die die Aktivierungen passen müssten</translation>
    </message>
    <message>
        <source>offload: with all in the host&apos;s memory whose copies are hidden %1</source>
        <translation>Auslagern: mit allem im Speicher des Hosts, dessen Kopien verdeckt sind: %1</translation>
    </message>
    <message>
        <source>offsets are within %1</source>
        <translation>Versätze liegen innerhalb von %1</translation>
    </message>
    <message>
        <source>one * is enough</source>
        <translation>ein * genügt</translation>
    </message>
    <message>
        <source>one layer less at both ends needs at least 2 stages, not %1</source>
        <translation>eine Schicht weniger an beiden Enden braucht mindestens 2 Stufen, nicht %1</translation>
    </message>
    <message>
        <source>only SELECT and WITH are answered; nothing is changed, attached or set</source>
        <translation>nur SELECT und WITH werden beantwortet; nichts wird geändert, angehängt oder gesetzt</translation>
    </message>
    <message>
        <source>only a schedule of one route, whole sequences and one step without updates becomes a level</source>
        <translation>nur ein Ablaufplan mit einer Route, ganzen Sequenzen und einem Schritt ohne Updates wird zu einem Level</translation>
    </message>
    <message>
        <source>only blocks of one micro-batch, one route and whole sequences can be searched</source>
        <translation>nur Bausteine mit einem Micro-Batch, einer Route und ganzen Sequenzen lassen sich durchsuchen</translation>
    </message>
    <message>
        <source>only orders of one step, without updates and with early messages, can be searched</source>
        <translation>nur Reihenfolgen mit einem Schritt, ohne Updates und mit Nachrichten nach der Regel early lassen sich durchsuchen</translation>
    </message>
    <message>
        <source>only orders whose micro-batches take the same times can be searched</source>
        <translation>nur Reihenfolgen, deren Micro-Batches gleich lange dauern, lassen sich durchsuchen</translation>
    </message>
    <message>
        <source>optimizer updates</source>
        <translation>Optimierer-Updates</translation>
    </message>
    <message>
        <source>optimizer updates in it</source>
        <translation>Optimierer-Updates darin</translation>
    </message>
    <message>
        <source>orders are given for %1 of %2 devices</source>
        <translation>Reihenfolgen sind für %1 von %2 Geräten gegeben</translation>
    </message>
    <message>
        <source>overlapped pairs</source>
        <translation>überlappten Paare</translation>
    </message>
    <message>
        <source>overlapped pairs cannot be said in a lesson</source>
        <translation>überlappte Paare lassen sich in einer Lektion nicht sagen</translation>
    </message>
    <message>
        <source>parameters stand before definitions, requirements and the order</source>
        <translation>Parameter stehen vor Definitionen, Anforderungen und der Reihenfolge</translation>
    </message>
    <message>
        <source>pass %1 of the block, a %2,</source>
        <translation>Durchlauf %1 des Bausteins, ein %2,</translation>
    </message>
    <message>
        <source>pass %1 of the block, a %2, has %3 %4; 0 to %5</source>
        <translation>Durchlauf %1 des Bausteins, ein %2, hat %3 %4; 0 bis %5</translation>
    </message>
    <message>
        <source>positions of device %1 are not in order: %2, %3</source>
        <translation>die Stellen von Gerät %1 sind nicht in Reihenfolge: %2, %3</translation>
    </message>
    <message>
        <source>pp_division has %1 layers in all; 1 to %2 make a model</source>
        <translation>pp_division hat zusammen %1 Schichten; 1 bis %2 ergeben ein Modell</translation>
    </message>
    <message>
        <source>pp_division has %1 stages and pp_deg is %2</source>
        <translation>pp_division hat %1 Stufen, und pp_deg ist %2</translation>
    </message>
    <message>
        <source>quotes around fields are left out</source>
        <translation>Anführungszeichen um Felder werden weggelassen</translation>
    </message>
    <message>
        <source>rank %1 ends before %2</source>
        <translation>Rang %1 endet vor %2</translation>
    </message>
    <message>
        <source>rank %1 has places 0 to %2, not %3</source>
        <translation>Rang %1 hat die Plätze 0 bis %2, nicht %3</translation>
    </message>
    <message>
        <source>rank %1 lacks %2</source>
        <translation>Rang %1 fehlt %2</translation>
    </message>
    <message>
        <source>rank %1 waits in %2 for rank %3 to come to %4</source>
        <translation>Rang %1 wartet in %2 darauf, dass Rang %3 zu %4 kommt</translation>
    </message>
    <message>
        <source>rank %1 would take %2 of rank %3 for %4: they are received in another order than sent</source>
        <translation>Rang %1 würde %2 von Rang %3 für %4 nehmen: sie werden in anderer Reihenfolge empfangen als gesendet</translation>
    </message>
    <message>
        <source>rank %1: %2 %3</source>
        <translation>Rang %1: %2 %3</translation>
    </message>
    <message>
        <source>rank %1: %2 finds no free buffer before its use; %3 %4 for %5 cannot hold what arrives before it</source>
        <translation>Rang %1: %2 findet vor seiner Verwendung keinen freien Puffer; in %3 %4 für %5 passt nicht, was davor ankommt</translation>
    </message>
    <message>
        <source>rank %1: %2 has no receive of %3 before it</source>
        <translation>Rang %1: vor %2 steht kein Empfangen von %3</translation>
    </message>
    <message>
        <source>read the file in the current one</source>
        <translation>die Datei im jetzigen Dialekt lesen</translation>
    </message>
    <message>
        <source>receive</source>
        <translation>Empfangen</translation>
    </message>
    <message>
        <source>recompute factor is %1; at least 1</source>
        <translation>der Faktor der Neuberechnung ist %1; mindestens 1</translation>
    </message>
    <message>
        <source>recompute is %1; none, selective or full</source>
        <translation>recompute ist %1; none, selective oder full</translation>
    </message>
    <message>
        <source>recompute passes</source>
        <translation>Durchläufe der Neuberechnung</translation>
    </message>
    <message>
        <source>recompute passes; --recompute-granularity is its way</source>
        <translation>Durchläufe der Neuberechnung; dafür ist --recompute-granularity da</translation>
    </message>
    <message>
        <source>recompute: there is no stage %1; stages are 0 to %2</source>
        <translation>Neuberechnung: es gibt keine Stufe %1; Stufen sind 0 bis %2</translation>
    </message>
    <message>
        <source>replicas is %1; at least 1</source>
        <translation>replicas ist %1; mindestens 1</translation>
    </message>
    <message>
        <source>route 0 has %1 stages and route %2 has %3</source>
        <translation>Route 0 hat %1 Stufen und Route %2 hat %3</translation>
    </message>
    <message>
        <source>routes are 0 to %1</source>
        <translation>Routen sind 0 bis %1</translation>
    </message>
    <message>
        <source>routes are given for %1 micro-batches of %2</source>
        <translation>Routen sind für %1 von %2 Micro-Batches gegeben</translation>
    </message>
    <message>
        <source>rule %1, %2</source>
        <translation>Regel %1, %2</translation>
    </message>
    <message>
        <source>run %1 has an iteration that no stretch has</source>
        <translation>Lauf %1 hat eine Iteration, die kein Zeitraum hat</translation>
    </message>
    <message>
        <source>run %1 of %2 is still running; stop it first</source>
        <translation>Lauf %1 von %2 läuft noch; ihn erst anhalten</translation>
    </message>
    <message>
        <source>run %1 of %2 was kept without its trace</source>
        <translation>Lauf %1 von %2 wurde ohne seinen Trace abgelegt</translation>
    </message>
    <message>
        <source>run %1: %2</source>
        <translation>Lauf %1: %2</translation>
    </message>
    <message>
        <source>sail-sg&apos;s plans have %1</source>
        <translation>die Pläne von sail-sg haben %1</translation>
    </message>
    <message>
        <source>save the nodes themselves, which have chunk and seq_split_idx</source>
        <translation>die Knoten selbst speichern, die chunk und seq_split_idx haben</translation>
    </message>
    <message>
        <source>schedule[%1], byte %2: %3</source>
        <translation>schedule[%1], Byte %2: %3</translation>
    </message>
    <message>
        <source>second route</source>
        <translation>zweite Route</translation>
    </message>
    <message>
        <source>segment %1 has length %2; at least 1</source>
        <translation>Segment %1 hat die Länge %2; mindestens 1</translation>
    </message>
    <message>
        <source>segment %1 is too high</source>
        <translation>Segment %1 ist zu hoch</translation>
    </message>
    <message>
        <source>segment %1 of %2 is shorter than the multiple %3</source>
        <translation>Segment %1 von %2 ist kürzer als das Vielfache %3</translation>
    </message>
    <message>
        <source>segment lengths are given for %1 segments; segments is %2</source>
        <translation>Segmentlängen sind für %1 Segmente gegeben; segments ist %2</translation>
    </message>
    <message>
        <source>segment lengths cannot be multiples of %1</source>
        <translation>Segmentlängen können keine Vielfachen von %1 sein</translation>
    </message>
    <message>
        <source>segments are not those of the first block</source>
        <translation>die Segmente sind nicht die des ersten Bausteins</translation>
    </message>
    <message>
        <source>segments is %1, but the attention of %2 is not causal: a token needs the whole sequence</source>
        <translation>segments ist %1, aber die Attention von %2 ist nicht kausal: ein Token braucht die ganze Sequenz</translation>
    </message>
    <message>
        <source>segments is %1; at least 1</source>
        <translation>segments ist %1; mindestens 1</translation>
    </message>
    <message>
        <source>segments is %1; it has to divide the %2 devices, else a group of segments ends inside a micro-batch; micro-batches equal to the devices avoid that</source>
        <translation>segments ist %1; es muss die %2 Geräte teilen, sonst endet eine Gruppe von Segmenten in einem Micro-Batch; mit so vielen Micro-Batches wie Geräten wird das vermieden</translation>
    </message>
    <message>
        <source>segments is %1; the sequence has %2 tokens</source>
        <translation>segments ist %1; die Sequenz hat %2 Token</translation>
    </message>
    <message>
        <source>segments is 0; at least 1</source>
        <translation>segments ist 0; mindestens 1</translation>
    </message>
    <message>
        <source>segments; this schedule has %1</source>
        <translation>Segmente; dieser Ablaufplan hat %1</translation>
    </message>
    <message>
        <source>send</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>separate them by commas</source>
        <translation>durch Kommas trennen</translation>
    </message>
    <message>
        <source>several steps and asynchronous updates need U passes in the order</source>
        <translation>mehrere Schritte und asynchrone Updates brauchen U-Durchläufe in der Reihenfolge</translation>
    </message>
    <message>
        <source>single passes have times of their own, which another shape does not have</source>
        <translation>einzelne Durchläufe haben eigene Zeiten, die eine andere Form nicht hat</translation>
    </message>
    <message>
        <source>skipsMasked is true and causal is false; only causal attention is masked</source>
        <translation>skipsMasked ist true und causal ist false; nur kausale Attention ist maskiert</translation>
    </message>
    <message>
        <source>some backwards are split and others are not</source>
        <translation>manche Backwards sind geteilt und andere nicht</translation>
    </message>
    <message>
        <source>spec: %1</source>
        <translation>spec: %1</translation>
    </message>
    <message>
        <source>split it</source>
        <translation>teilen</translation>
    </message>
    <message>
        <source>stage %1 appears here and in row %2</source>
        <translation>Stufe %1 steht hier und in Zeile %2</translation>
    </message>
    <message>
        <source>stage %1 has %2 layers; at least 0</source>
        <translation>Stufe %1 hat %2 Schichten; mindestens 0</translation>
    </message>
    <message>
        <source>stage %1 has %2 multi-token layers, whose costs are not known</source>
        <translation>Stufe %1 hat %2 Multi-Token-Schichten, deren Kosten nicht bekannt sind</translation>
    </message>
    <message>
        <source>stage %1 has m, and is not the last chunk of a rank behind rank 0</source>
        <translation>Stufe %1 hat m, und ist nicht der letzte Chunk eines Rangs hinter Rang 0</translation>
    </message>
    <message>
        <source>stage %1 has t behind the m of stage %2</source>
        <translation>Stufe %1 hat t hinter dem m von Stufe %2</translation>
    </message>
    <message>
        <source>stage %1 is placed on device %2; devices are 0 to %3</source>
        <translation>Stufe %1 liegt auf Gerät %2; Geräte sind 0 bis %3</translation>
    </message>
    <message>
        <source>stage %1 is recomputed already</source>
        <translation>Stufe %1 wird schon neu berechnet</translation>
    </message>
    <message>
        <source>stage %1 may hold the activations of %2 micro-batches; the smallest limit that works is %3</source>
        <translation>Stufe %1 darf die Aktivierungen von %2 Micro-Batches halten; die kleinste Grenze, mit der es geht, ist %3</translation>
    </message>
    <message>
        <source>stage %1: the embedding belongs to the first stage, the output layer to the last</source>
        <translation>Stufe %1: das Embedding gehört zur ersten Stufe, die Ausgabeschicht zur letzten</translation>
    </message>
    <message>
        <source>stages is %1; at least 1</source>
        <translation>stages ist %1; mindestens 1</translation>
    </message>
    <message>
        <source>step %1 has no level that a task or hints are of</source>
        <translation>Schritt %1 hat kein Level, zu dem eine Aufgabe oder Tipps gehören</translation>
    </message>
    <message>
        <source>step %1 of the demonstration: %2</source>
        <translation>Schritt %1 der Vorführung: %2</translation>
    </message>
    <message>
        <source>steps is %1; at least 1</source>
        <translation>steps ist %1; mindestens 1</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>stopped on request</source>
        <translation>auf Wunsch angehalten</translation>
    </message>
    <message>
        <source>such a rule would match every name</source>
        <translation>eine solche Regel würde auf jeden Namen passen</translation>
    </message>
    <message>
        <source>summing up was stopped</source>
        <translation>das Zusammenfassen wurde angehalten</translation>
    </message>
    <message>
        <source>tensor %1 × pipeline %2 × data %3 × context %4 is %5 devices, the cluster has %6; with %7 GPUs it would do</source>
        <translation>Tensor %1 × Pipeline %2 × Daten %3 × Kontext %4 sind %5 Geräte, der Cluster hat %6; mit %7 GPUs ginge es</translation>
    </message>
    <message>
        <source>the block has %1 segments, the schedule %2</source>
        <translation>der Baustein hat %1 Segmente, der Ablaufplan %2</translation>
    </message>
    <message>
        <source>the block has no %1</source>
        <translation>der Baustein hat kein %1</translation>
    </message>
    <message>
        <source>the block is for %1 devices, the schedule has %2</source>
        <translation>der Baustein ist für %1 Geräte, der Ablaufplan hat %2</translation>
    </message>
    <message>
        <source>the block places the stages in another way</source>
        <translation>der Baustein verteilt die Stufen anders</translation>
    </message>
    <message>
        <source>the blocks are repeated for %1 micro-batches; so many passes or so long a time cannot be kept</source>
        <translation>die Bausteine werden für %1 Micro-Batches wiederholt; so viele Durchläufe oder eine so lange Zeit lassen sich nicht halten</translation>
    </message>
    <message>
        <source>the bracket is not closed</source>
        <translation>die Klammer ist nicht geschlossen</translation>
    </message>
    <message>
        <source>the chunks, segments and waves asked for make at least %1 passes; a schedule may have %2</source>
        <translation>die verlangten Chunks, Segmente und Wellen ergeben mindestens %1 Durchläufe; ein Ablaufplan darf %2 haben</translation>
    </message>
    <message>
        <source>the clip has device %1; devices are 0 to %2</source>
        <translation>die Kopie hat Gerät %1; Geräte sind 0 bis %2</translation>
    </message>
    <message>
        <source>the command line sends no job: it has no submit</source>
        <translation>die Befehlszeile schickt keinen Job: sie hat kein submit</translation>
    </message>
    <message>
        <source>the constants are not a JSON object</source>
        <translation>die Konstanten sind kein JSON-Objekt</translation>
    </message>
    <message>
        <source>the constants are of version %1; this program reads version %2</source>
        <translation>die Konstanten haben Version %1; dieses Programm liest Version %2</translation>
    </message>
    <message>
        <source>the copy has route %1; the schedule has %2</source>
        <translation>die Kopie hat Route %1; der Ablaufplan hat %2</translation>
    </message>
    <message>
        <source>the copy has segment %1; the schedule has %2</source>
        <translation>die Kopie hat Segment %1; der Ablaufplan hat %2</translation>
    </message>
    <message>
        <source>the copy has stage %1; the schedule has %2</source>
        <translation>die Kopie hat Stufe %1; der Ablaufplan hat %2</translation>
    </message>
    <message>
        <source>the costs file has %1 segments, and the schedule has %2</source>
        <translation>die Kostendatei hat %1 Segmente, und der Ablaufplan hat %2</translation>
    </message>
    <message>
        <source>the costs file has %1 stages, and the schedule has %2</source>
        <translation>die Kostendatei hat %1 Stufen, und der Ablaufplan hat %2</translation>
    </message>
    <message>
        <source>the costs file has neither B and W nor BW</source>
        <translation>die Kostendatei hat weder B und W noch BW</translation>
    </message>
    <message>
        <source>the costs file has no %1 of stage %2</source>
        <translation>die Kostendatei hat kein %1 von Stufe %2</translation>
    </message>
    <message>
        <source>the costs file has no %1, which the schedule has: %2</source>
        <translation>die Kostendatei hat kein %1, das der Ablaufplan hat: %2</translation>
    </message>
    <message>
        <source>the costs file has no F</source>
        <translation>die Kostendatei hat kein F</translation>
    </message>
    <message>
        <source>the costs file has segments of lengths %1, and the schedule of %2</source>
        <translation>die Kostendatei hat Segmente der Längen %1, und der Ablaufplan der Längen %2</translation>
    </message>
    <message>
        <source>the costs file is of version %1; this program reads version 1</source>
        <translation>die Kostendatei hat Version %1; dieses Programm liest Version 1</translation>
    </message>
    <message>
        <source>the default %1 is outside the range</source>
        <translation>die Vorgabe %1 liegt außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>the device has no stage</source>
        <translation>das Gerät hat keine Stufe</translation>
    </message>
    <message>
        <source>the duration is %1; 1 to %2</source>
        <translation>die Dauer ist %1; 1 bis %2</translation>
    </message>
    <message>
        <source>the duration of %1</source>
        <translation>die Dauer von %1</translation>
    </message>
    <message>
        <source>the end of the line</source>
        <translation>das Ende der Zeile</translation>
    </message>
    <message>
        <source>the family makes the order; make it an order of its own first</source>
        <translation>die Familie macht die Reihenfolge; sie erst zu einer eigenen Reihenfolge machen</translation>
    </message>
    <message>
        <source>the family makes the shape; change its options</source>
        <translation>die Familie macht die Form; ihre Optionen ändern</translation>
    </message>
    <message>
        <source>the file</source>
        <translation>die Datei</translation>
    </message>
    <message>
        <source>the file has no %1 line</source>
        <translation>die Datei hat keine %1-Zeile</translation>
    </message>
    <message>
        <source>the file holds no pass</source>
        <translation>die Datei enthält keinen Durchlauf</translation>
    </message>
    <message>
        <source>the file is longer than %1 bytes, the most that is read</source>
        <translation>die Datei ist länger als %1 Bytes, das Höchste, was gelesen wird</translation>
    </message>
    <message>
        <source>the fixed order of zb-v needs a memory-limit of %1 micro-batches; the orders best and greedy go lower</source>
        <translation>die feste Reihenfolge von zb-v braucht ein memory-limit von %1 Micro-Batches; die Reihenfolgen best und greedy kommen mit weniger aus</translation>
    </message>
    <message>
        <source>the forwards of a micro-batch stand there %1 times in lower case and %2 times in upper case, and words do not tell chunks from pieces of a sequence</source>
        <translation>die Forwards eines Micro-Batches stehen dort %1-mal in Klein- und %2-mal in Großbuchstaben, und Wörter unterscheiden Chunks nicht von Stücken einer Sequenz</translation>
    </message>
    <message>
        <source>the goal &apos;%1&apos; is none of a block</source>
        <translation>das Ziel &apos;%1&apos; ist keines für einen Baustein</translation>
    </message>
    <message>
        <source>the id of a family is small letters, digits and dashes, up to 40</source>
        <translation>die Kennung einer Familie besteht aus Kleinbuchstaben, Ziffern und Strichen, bis zu 40</translation>
    </message>
    <message>
        <source>the kinds have more than %1 accelerators together</source>
        <translation>die Arten haben zusammen mehr als %1 Beschleuniger</translation>
    </message>
    <message>
        <source>the layers are split over %1; the pipeline has %2</source>
        <translation>die Schichten sind auf %1 verteilt; die Pipeline hat %2</translation>
    </message>
    <message>
        <source>the layout ends inside a bracket or a repeat</source>
        <translation>das Layout endet innerhalb einer Klammer oder einer Wiederholung</translation>
    </message>
    <message>
        <source>the layout has %1 stages, which %2 pipeline ranks do not divide</source>
        <translation>das Layout hat %1 Stufen, die %2 Pipeline-Ränge nicht teilen</translation>
    </message>
    <message>
        <source>the layout has a bracket within a bracket, or one that is never closed, at position %1</source>
        <translation>das Layout hat an Stelle %1 eine Klammer in einer Klammer, oder eine, die nie geschlossen wird</translation>
    </message>
    <message>
        <source>the layout has a bracket without *n behind it, at position %1</source>
        <translation>das Layout hat an Stelle %1 eine Klammer ohne *n dahinter</translation>
    </message>
    <message>
        <source>the layout has an unexpected &apos;%1&apos; at position %2</source>
        <translation>das Layout hat an Stelle %2 ein unerwartetes &apos;%1&apos;</translation>
    </message>
    <message>
        <source>the layout has brackets nested too deep</source>
        <translation>das Layout hat zu tief verschachtelte Klammern</translation>
    </message>
    <message>
        <source>the layout has more than %1 items</source>
        <translation>das Layout hat mehr als %1 Elemente</translation>
    </message>
    <message>
        <source>the layout has more than %1 symbols</source>
        <translation>das Layout hat mehr als %1 Zeichen</translation>
    </message>
    <message>
        <source>the layout has something else than E, t, m, L and | at position %1 of its flat form</source>
        <translation>das Layout hat an Stelle %1 seiner flachen Form etwas anderes als E, t, m, L und |</translation>
    </message>
    <message>
        <source>the layout repeats an item too often</source>
        <translation>das Layout wiederholt ein Element zu oft</translation>
    </message>
    <message>
        <source>the lesson has %1 steps, and none of number %2</source>
        <translation>die Lektion hat %1 Schritte, und keinen mit der Nummer %2</translation>
    </message>
    <message>
        <source>the lesson is of version %1; this program reads version 1</source>
        <translation>die Lektion hat Version %1; dieses Programm liest Version 1</translation>
    </message>
    <message>
        <source>the listing has %1 ranks, the schedule %2 devices</source>
        <translation>die Auflistung hat %1 Ränge, der Ablaufplan %2 Geräte</translation>
    </message>
    <message>
        <source>the message of %1 has no %2</source>
        <translation>die Nachricht von %1 hat kein %2</translation>
    </message>
    <message>
        <source>the micro-batch number is above 2147483647</source>
        <translation>die Nummer des Micro-Batches ist über 2147483647</translation>
    </message>
    <message>
        <source>the micro-batch number is missing</source>
        <translation>die Nummer des Micro-Batches fehlt</translation>
    </message>
    <message>
        <source>the model has an unknown field &quot;%1&quot;</source>
        <translation>das Modell hat ein unbekanntes Feld &quot;%1&quot;</translation>
    </message>
    <message>
        <source>the model has no &quot;version&quot;</source>
        <translation>das Modell hat kein &quot;version&quot;</translation>
    </message>
    <message>
        <source>the model has the field &quot;%1&quot; twice</source>
        <translation>das Modell hat das Feld &quot;%1&quot; zweimal</translation>
    </message>
    <message>
        <source>the model is not JSON: %1</source>
        <translation>das Modell ist kein JSON: %1</translation>
    </message>
    <message>
        <source>the model is not a JSON object</source>
        <translation>das Modell ist kein JSON-Objekt</translation>
    </message>
    <message>
        <source>the model is of version %1; this program reads version %2</source>
        <translation>das Modell hat Version %1; dieses Programm liest Version %2</translation>
    </message>
    <message>
        <source>the name %1 means something already</source>
        <translation>der Name %1 bedeutet schon etwas</translation>
    </message>
    <message>
        <source>the name of a parameter is small letters, digits and dashes, a letter first</source>
        <translation>der Name eines Parameters besteht aus Kleinbuchstaben, Ziffern und Strichen, zuerst ein Buchstabe</translation>
    </message>
    <message>
        <source>the node has no closing bracket</source>
        <translation>der Knoten hat keine schließende Klammer</translation>
    </message>
    <message>
        <source>the nodes say no layer_group_idx; the placement is taken as %1, %2</source>
        <translation>die Knoten sagen kein layer_group_idx; als Platzierung gilt %1, %2</translation>
    </message>
    <message>
        <source>the older dialect has no %1</source>
        <translation>der ältere Dialekt hat kein %1</translation>
    </message>
    <message>
        <source>the older dialect is written in the current one: B becomes I, BW becomes B</source>
        <translation>der ältere Dialekt wird im jetzigen geschrieben: B wird I, BW wird B</translation>
    </message>
    <message>
        <source>the order contains optimizer updates, and passes are not moved across them</source>
        <translation>die Reihenfolge enthält Optimierer-Updates, und Durchläufe werden nicht über sie hinweg bewegt</translation>
    </message>
    <message>
        <source>the placement %1 is a map of its own; give the one on %2 devices</source>
        <translation>die Platzierung %1 ist eine eigene Zuordnung; die auf %2 Geräten angeben</translation>
    </message>
    <message>
        <source>the placement has no stage</source>
        <translation>die Platzierung hat keine Stufe</translation>
    </message>
    <message>
        <source>the placement is empty</source>
        <translation>die Platzierung ist leer</translation>
    </message>
    <message>
        <source>the plan has %1 devices, and the run has %2</source>
        <translation>der Plan hat %1 Geräte, und der Lauf hat %2</translation>
    </message>
    <message>
        <source>the plan holds no pass: no node of type F, B, W, BW or R</source>
        <translation>der Plan enthält keinen Durchlauf: keinen Knoten vom Typ F, B, W, BW oder R</translation>
    </message>
    <message>
        <source>the plan stands there %1 times; it is read once</source>
        <translation>der Plan steht dort %1-mal; er wird einmal gelesen</translation>
    </message>
    <message>
        <source>the plan takes %1; with these costs it takes %2</source>
        <translation>der Plan dauert %1; mit diesen Kosten dauert er %2</translation>
    </message>
    <message>
        <source>the printed table has no times, and no more of chunks than whether they are the first</source>
        <translation>die gedruckte Tabelle hat keine Zeiten, und von Chunks nur, ob sie die ersten sind</translation>
    </message>
    <message>
        <source>the project cannot be saved: %1</source>
        <translation>das Projekt lässt sich nicht speichern: %1</translation>
    </message>
    <message>
        <source>the project holds something that no file can hold</source>
        <translation>das Projekt enthält etwas, das keine Datei aufnehmen kann</translation>
    </message>
    <message>
        <source>the project is of version %1; this program reads version 1</source>
        <translation>das Projekt hat Version %1; dieses Programm liest Version 1</translation>
    </message>
    <message>
        <source>the question takes longer than %1 s, the limit; ask for less, or allow more time</source>
        <translation>die Frage dauert länger als %1 s, die Grenze; weniger fragen oder mehr Zeit erlauben</translation>
    </message>
    <message>
        <source>the range of a parameter lies between 0 and 1e9</source>
        <translation>der Bereich eines Parameters liegt zwischen 0 und 1e9</translation>
    </message>
    <message>
        <source>the results are of version %1; this program reads version 1</source>
        <translation>die Ergebnisse haben Version %1; dieses Programm liest Version 1</translation>
    </message>
    <message>
        <source>the rules file has %1 rules; at most %2 are read</source>
        <translation>die Regeldatei hat %1 Regeln; höchstens %2 werden gelesen</translation>
    </message>
    <message>
        <source>the rules file is of version %1; this program reads version 1</source>
        <translation>die Regeldatei hat Version %1; dieses Programm liest Version 1</translation>
    </message>
    <message>
        <source>the schedule recomputes already</source>
        <translation>der Ablaufplan berechnet schon neu</translation>
    </message>
    <message>
        <source>the search for any order ended unfinished</source>
        <translation>die Suche nach irgendeiner Reihenfolge endete unfertig</translation>
    </message>
    <message>
        <source>the search for less memory ended unfinished after %1 choices</source>
        <translation>die Suche nach weniger Speicher endete unfertig nach %1 Wahlen</translation>
    </message>
    <message>
        <source>the search for less time ended unfinished after %1 choices</source>
        <translation>die Suche nach weniger Zeit endete unfertig nach %1 Wahlen</translation>
    </message>
    <message>
        <source>the search of interval %1 ended unfinished</source>
        <translation>die Suche mit Intervall %1 endete unfertig</translation>
    </message>
    <message>
        <source>the search was stopped</source>
        <translation>die Suche wurde angehalten</translation>
    </message>
    <message>
        <source>the share of stage %1 to offload is %2; 0 to 1</source>
        <translation>der auszulagernde Anteil von Stufe %1 ist %2; 0 bis 1</translation>
    </message>
    <message>
        <source>the spec has no %1</source>
        <translation>die Vorgabe hat kein %1</translation>
    </message>
    <message>
        <source>the split has %1 stages, %2 needs %3</source>
        <translation>die Teilung hat %1 Stufen, %2 braucht %3</translation>
    </message>
    <message>
        <source>the split has %1; the model has %2</source>
        <translation>die Teilung hat %1; das Modell hat %2</translation>
    </message>
    <message>
        <source>the stage number is above 2147483647</source>
        <translation>die Nummer der Stufe ist über 2147483647</translation>
    </message>
    <message>
        <source>the stage number is missing</source>
        <translation>die Nummer der Stufe fehlt</translation>
    </message>
    <message>
        <source>the start of %1</source>
        <translation>der Beginn von %1</translation>
    </message>
    <message>
        <source>the status %1 is &quot;%2&quot;, which is none that a run can have</source>
        <translation>der Status %1 ist &quot;%2&quot;, den kein Lauf haben kann</translation>
    </message>
    <message>
        <source>the table has no rows</source>
        <translation>die Tabelle hat keine Zeilen</translation>
    </message>
    <message>
        <source>the text is longer than %1 bytes, the most that is read</source>
        <translation>der Text ist länger als %1 Bytes, das Höchste, was gelesen wird</translation>
    </message>
    <message>
        <source>the trace has no rank %1 for an example</source>
        <translation>der Trace hat keinen Rang %1 für ein Beispiel</translation>
    </message>
    <message>
        <source>the value of %1 has no end</source>
        <translation>der Wert von %1 hat kein Ende</translation>
    </message>
    <message>
        <source>the zero-bubble search is for at most %1 devices, not %2</source>
        <translation>die Zero-Bubble-Suche ist für höchstens %1 Geräte, nicht %2</translation>
    </message>
    <message>
        <source>them</source>
        <translation>sie</translation>
    </message>
    <message>
        <source>there are %1 shares to offload, the pipeline has %2 stages; one share for all, or %3, would do</source>
        <translation>es gibt %1 auszulagernde Anteile, die Pipeline hat %2 Stufen; ein Anteil für alle oder %3 davon würden gehen</translation>
    </message>
    <message>
        <source>there are several kinds, and no number for %1; %2:8 would be eight</source>
        <translation>es gibt mehrere Arten, und keine Zahl für %1; %2:8 wären acht</translation>
    </message>
    <message>
        <source>there is no %1 in this pipeline</source>
        <translation>es gibt kein %1 in dieser Pipeline</translation>
    </message>
    <message>
        <source>there is no B to join with its W among the chosen passes</source>
        <translation>unter den gewählten Durchläufen ist kein B, das sich mit seinem W verbinden ließe</translation>
    </message>
    <message>
        <source>there is no BW to split among the chosen passes</source>
        <translation>unter den gewählten Durchläufen ist kein BW, das sich teilen ließe</translation>
    </message>
    <message>
        <source>there is no activation of %1 in this pipeline</source>
        <translation>es gibt keine Aktivierung von %1 in dieser Pipeline</translation>
    </message>
    <message>
        <source>there is no backward that could be recomputed for: it is missing, or it is recomputed already</source>
        <translation>es gibt kein Backward, für das neu berechnet werden könnte: es fehlt, oder es wird schon neu berechnet</translation>
    </message>
    <message>
        <source>there is no block</source>
        <translation>es gibt keinen Baustein</translation>
    </message>
    <message>
        <source>there is no block %1 of %2</source>
        <translation>es gibt keinen Baustein %1 von %2</translation>
    </message>
    <message>
        <source>there is no block to repeat</source>
        <translation>es gibt keinen Baustein zum Wiederholen</translation>
    </message>
    <message>
        <source>there is no configuration of %1 devices for this model</source>
        <translation>es gibt keine Konfiguration von %1 Geräten für dieses Modell</translation>
    </message>
    <message>
        <source>there is no device %1</source>
        <translation>es gibt kein Gerät %1</translation>
    </message>
    <message>
        <source>there is no device %1; 0 to %2</source>
        <translation>es gibt kein Gerät %1; 0 bis %2</translation>
    </message>
    <message>
        <source>there is no device %1; devices are 0 to %2</source>
        <translation>es gibt kein Gerät %1; Geräte sind 0 bis %2</translation>
    </message>
    <message>
        <source>there is no free micro-batch for micro-batch %1 of the copy; there are %2</source>
        <translation>für Micro-Batch %1 der Kopie ist kein Micro-Batch frei; es gibt %2</translation>
    </message>
    <message>
        <source>there is no hardware %1; there are %2</source>
        <translation>es gibt keine Hardware %1; es gibt %2</translation>
    </message>
    <message>
        <source>there is no layer to place</source>
        <translation>es gibt keine Schicht zum Platzieren</translation>
    </message>
    <message>
        <source>there is no lesson %1%2</source>
        <translation>es gibt keine Lektion %1%2</translation>
    </message>
    <message>
        <source>there is no model &quot;%1&quot;; did you mean %2?</source>
        <translation>es gibt kein Modell &quot;%1&quot;; war %2 gemeint?</translation>
    </message>
    <message>
        <source>there is no model &quot;%1&quot;; the models are %2</source>
        <translation>es gibt kein Modell &quot;%1&quot;; die Modelle sind %2</translation>
    </message>
    <message>
        <source>there is no name %1%2</source>
        <translation>es gibt keinen Namen %1%2</translation>
    </message>
    <message>
        <source>there is no rule %1; backward-first, forward-first or zero-bubble</source>
        <translation>es gibt keine Regel %1; backward-first, forward-first oder zero-bubble</translation>
    </message>
    <message>
        <source>these activations go to the host already</source>
        <translation>diese Aktivierungen gehen schon zum Host</translation>
    </message>
    <message>
        <source>these activations stay on their devices already</source>
        <translation>diese Aktivierungen bleiben schon auf ihren Geräten</translation>
    </message>
    <message>
        <source>these are not results: the field pipewright_results is missing</source>
        <translation>das sind keine Ergebnisse: das Feld pipewright_results fehlt</translation>
    </message>
    <message>
        <source>this field appears twice</source>
        <translation>dieses Feld kommt zweimal vor</translation>
    </message>
    <message>
        <source>this is not a lesson: the field pipewright_lesson is missing</source>
        <translation>das ist keine Lektion: das Feld pipewright_lesson fehlt</translation>
    </message>
    <message>
        <source>this is not a costs file: the field pipewright_costs is missing</source>
        <translation>das ist keine Kostendatei: das Feld pipewright_costs fehlt</translation>
    </message>
    <message>
        <source>this is not a project: the field pipewright is missing</source>
        <translation>das ist kein Projekt: das Feld pipewright fehlt</translation>
    </message>
    <message>
        <source>times are taken as microseconds; a message takes %1</source>
        <translation>Zeiten gelten als Mikrosekunden; eine Nachricht dauert %1</translation>
    </message>
    <message>
        <source>times of single passes</source>
        <translation>Zeiten einzelner Durchläufe</translation>
    </message>
    <message>
        <source>times of single passes and links that change cannot be said in a lesson</source>
        <translation>Zeiten einzelner Durchläufe und Leitungen, die sich ändern, lassen sich in einer Lektion nicht sagen</translation>
    </message>
    <message>
        <source>too many segments: %1</source>
        <translation>zu viele Segmente: %1</translation>
    </message>
    <message>
        <source>two numbers side by side cannot be told apart; put something between them</source>
        <translation>zwei Zahlen nebeneinander sind nicht zu unterscheiden; etwas dazwischen setzen</translation>
    </message>
    <message>
        <source>types are F, I, B, W, SEND_F, RECV_F, SEND_B, RECV_B, UNSHARD, RESHARD and REDUCE_GRAD</source>
        <translation>Typen sind F, I, B, W, SEND_F, RECV_F, SEND_B, RECV_B, UNSHARD, RESHARD und REDUCE_GRAD</translation>
    </message>
    <message>
        <source>unknown type</source>
        <translation>unbekannter Typ</translation>
    </message>
    <message>
        <source>unknown word %1</source>
        <translation>unbekanntes Wort %1</translation>
    </message>
    <message>
        <source>vocabulary parallelism is for one copy of the model; %1 has two</source>
        <translation>Vokabular-Parallelität ist für eine Kopie des Modells; %1 hat zwei</translation>
    </message>
    <message>
        <source>waves</source>
        <translation>Wellen</translation>
    </message>
    <message>
        <source>what stands at first meets all goals already; ask for less time or memory, or let less stand</source>
        <translation>was am Anfang steht, erfüllt schon alle Ziele; weniger Zeit oder Speicher verlangen, oder weniger stehen lassen</translation>
    </message>
    <message>
        <source>which activations wait in the host&apos;s memory is not among the options that are written for Megatron-LM; --offload none gives a plan that is</source>
        <translation>welche Aktivierungen im Speicher des Hosts warten, ist nicht unter den Optionen, die für Megatron-LM geschrieben werden; --offload none gibt einen Plan, der sich schreiben lässt</translation>
    </message>
    <message>
        <source>with as many micro-batches as devices all forwards come first; there is no block to repeat</source>
        <translation>mit so vielen Micro-Batches wie Geräten kommen alle Forwards zuerst; es gibt keinen Baustein zum Wiederholen</translation>
    </message>
    <message>
        <source>write %1</source>
        <translation>%1 schreiben</translation>
    </message>
    <message>
        <source>write %10 or another</source>
        <translation>%10 oder eine andere schreiben</translation>
    </message>
    <message>
        <source>write (F1+BW0)</source>
        <translation>(F1+BW0) schreiben</translation>
    </message>
    <message>
        <source>write 0 or 1 for each micro-batch, or 0*4 for four times 0</source>
        <translation>0 oder 1 für jeden Micro-Batch schreiben, oder 0*4 für viermal 0</translation>
    </message>
    <message>
        <source>write @%1</source>
        <translation>@%1 schreiben</translation>
    </message>
    <message>
        <source>write ]</source>
        <translation>] schreiben</translation>
    </message>
    <message>
        <source>write an empty line &apos;d%1:&apos;</source>
        <translation>eine leere Zeile &apos;d%1:&apos; schreiben</translation>
    </message>
    <message>
        <source>write one line of passes a device</source>
        <translation>eine Zeile mit Durchläufen je Gerät schreiben</translation>
    </message>
    <message>
        <source>write stage, type and micro-batch, as in 2F0</source>
        <translation>Stufe, Typ und Micro-Batch schreiben, wie in 2F0</translation>
    </message>
    <message>
        <source>{ without its }; \{ is the character itself</source>
        <translation>{ ohne sein }; \{ ist das Zeichen selbst</translation>
    </message>
    <message>
        <source>{%1} takes a number and nothing else</source>
        <translation>{%1} nimmt eine Zahl und sonst nichts</translation>
    </message>
    <message>
        <source>} without its {; \} is the character itself</source>
        <translation>} ohne sein {; \} ist das Zeichen selbst</translation>
    </message>
    <message>
        <source>stages have replicas of their own where each stands on a device of its own, as in 1f1b, seq1f1b and pipedream; replicas of the whole pipeline are for all families (--replicas)</source>
        <translation>Stufen haben eigene Replikate, wo jede auf einem eigenen Gerät steht, wie in 1f1b, seq1f1b und pipedream; Replikate der ganzen Pipeline gibt es für alle Familien (--replicas)</translation>
    </message>
    <message>
        <source>this order is that of stages that update after every micro-batch, as in pipedream; others keep their own</source>
        <translation>diese Reihenfolge ist die von Stufen, die nach jedem Micro-Batch aktualisieren, wie in pipedream; andere behalten ihre eigene</translation>
    </message>
    <message>
        <source>%1 (device %2)</source>
        <translation>%1 (Gerät %2)</translation>
    </message>
    <message>
        <source>%1 and %2</source>
        <translation>%1 und %2</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>%1 comes next: it %2.</source>
        <translation>%1 ist der nächste Durchlauf: Er %2.</translation>
    </message>
    <message>
        <source>%1 could run, but there is no memory for its activation</source>
        <translation>%1 könnte laufen, aber für seine Aktivierung fehlt der Speicher</translation>
    </message>
    <message>
        <source>%1 micro-batch</source>
        <translation>%1 Micro-Batch</translation>
    </message>
    <message>
        <source>%1 micro-batches</source>
        <translation>%1 Micro-Batches</translation>
    </message>
    <message>
        <source>%1 micro-batches, %2</source>
        <translation>%1 Micro-Batches, %2</translation>
    </message>
    <message>
        <source>%1 on device %2</source>
        <translation>%1 auf Gerät %2</translation>
    </message>
    <message>
        <source>%1 on the same device</source>
        <translation>%1 auf demselben Gerät</translation>
    </message>
    <message>
        <source>%1 runs on device %2 from %3 to %4: %5, %6 of the makespan of %7.</source>
        <translation>%1 läuft auf Gerät %2 von %3 bis %4: %5, %6 der Gesamtdauer von %7.</translation>
    </message>
    <message>
        <source>%1 time</source>
        <translation>%1-mal</translation>
    </message>
    <message>
        <source>%1 times</source>
        <translation>%1-mal</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>%1; %2 of it is launching</source>
        <translation>%1; %2 davon entfallen auf das Starten</translation>
    </message>
    <message>
        <source>A faster link to the host, or the activation kept on the device, would fill it.</source>
        <translation>Eine schnellere Leitung zum Host oder eine Aktivierung, die auf dem Gerät bleibt, würde die Zeit füllen.</translation>
    </message>
    <message>
        <source>A higher limit on memory, or an order that frees sooner, would fill it.</source>
        <translation>Eine höhere Speichergrenze oder eine Reihenfolge, die früher freigibt, würde die Zeit füllen.</translation>
    </message>
    <message>
        <source>All devices have the same peak.</source>
        <translation>Alle Geräte haben dieselbe Spitze.</translation>
    </message>
    <message>
        <source>Device %1 holds %2 at most, since it keeps a micro-batch for %3 in the mean.</source>
        <translation>Gerät %1 hält höchstens %2, denn ein Micro-Batch bleibt dort im Mittel %3.</translation>
    </message>
    <message>
        <source>Device %1 holds the most at %2, when %3 starts: %4.</source>
        <translation>Gerät %1 hält am meisten bei %2, wenn %3 beginnt: %4.</translation>
    </message>
    <message>
        <source>Device %1 holds the most at %2, when the activation of %3 begins to come back: %4.</source>
        <translation>Gerät %1 hält am meisten bei %2, wenn die Aktivierung von %3 zurückzukommen beginnt: %4.</translation>
    </message>
    <message>
        <source>Device %1 idles</source>
        <translation>Gerät %1 steht still</translation>
    </message>
    <message>
        <source>Device %1 idles %2 of the makespan of %3, %4, and between its own first start and last end %5 of %6, %7.</source>
        <translation>Gerät %1 steht %2 der Gesamtdauer von %3 still, %4, und zwischen seinem eigenen ersten Beginn und letzten Ende %5 von %6, %7.</translation>
    </message>
    <message>
        <source>Device %1 idles from %2 to %3: %4 of the %5 that it idles in all, and %6 of the makespan of %7.</source>
        <translation>Gerät %1 steht von %2 bis %3 still: %4 der %5, die es insgesamt still steht, und %6 der Gesamtdauer von %7.</translation>
    </message>
    <message>
        <source>Device %1 keeps no activation.</source>
        <translation>Gerät %1 hält keine Aktivierung.</translation>
    </message>
    <message>
        <source>Device %1 never idles: only less work, or more devices, would end sooner.</source>
        <translation>Gerät %1 steht nie still: Nur weniger Arbeit oder mehr Geräte würden früher enden.</translation>
    </message>
    <message>
        <source>Idle time</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>Idle time of device %1</source>
        <translation>Leerlauf von Gerät %1</translation>
    </message>
    <message>
        <source>In %1 the one device works %2 and idles %3: %4.</source>
        <translation>In %1 arbeitet das eine Gerät %2 und steht %3 still: %4.</translation>
    </message>
    <message>
        <source>In %1 the %2 devices work %3 together and idle %4: %5; device %6 idles most, %7.</source>
        <translation>In %1 arbeiten die %2 Geräte zusammen %3 und stehen %4 still: %5; am längsten Gerät %6, %7.</translation>
    </message>
    <message>
        <source>It is a pair: both of its passes start and end together.</source>
        <translation>Es ist ein Paar: Beide Durchläufe beginnen und enden zusammen.</translation>
    </message>
    <message>
        <source>It needs nothing that another pass makes, and is the first on its device.</source>
        <translation>Er braucht nichts von einem anderen Durchlauf und ist der erste auf seinem Gerät.</translation>
    </message>
    <message>
        <source>It starts as soon as device %1 is free: %2 ends at %3, and all that it needs comes at the same moment.</source>
        <translation>Er beginnt, sobald Gerät %1 frei ist: %2 endet bei %3, und alles, was er braucht, kommt im selben Augenblick.</translation>
    </message>
    <message>
        <source>It starts as soon as device %1 is free: %2 ends at %3, and all that it needs was there %4 before.</source>
        <translation>Er beginnt, sobald Gerät %1 frei ist: %2 endet bei %3, und alles, was er braucht, war %4 vorher da.</translation>
    </message>
    <message>
        <source>It starts as soon as device %1 is free: %2 ends at %3.</source>
        <translation>Er beginnt, sobald Gerät %1 frei ist: %2 endet bei %3.</translation>
    </message>
    <message>
        <source>It waits for %1, which ends at %2, and %3 for the message.</source>
        <translation>Er wartet auf %1, Ende bei %2, und %3 auf die Nachricht.</translation>
    </message>
    <message>
        <source>It waits for %1, which ends at %2, and %3 for the message; the device idles %4 before it.</source>
        <translation>Er wartet auf %1, Ende bei %2, und %3 auf die Nachricht; davor steht das Gerät %4 still.</translation>
    </message>
    <message>
        <source>It waits for %1, which ends at %2.</source>
        <translation>Er wartet auf %1, Ende bei %2.</translation>
    </message>
    <message>
        <source>It waits for %1, which ends at %2; the device idles %3 before it.</source>
        <translation>Er wartet auf %1, Ende bei %2; davor steht das Gerät %3 still.</translation>
    </message>
    <message>
        <source>It waits for its activation, which comes back from the host from %1 to %2.</source>
        <translation>Er wartet auf seine Aktivierung, die von %1 bis %2 vom Host zurückkommt.</translation>
    </message>
    <message>
        <source>It waits for its activation, which comes back from the host from %1 to %2; the device idles %3 before it.</source>
        <translation>Er wartet auf seine Aktivierung, die von %1 bis %2 vom Host zurückkommt; davor steht das Gerät %3 still.</translation>
    </message>
    <message>
        <source>It waits for the device that takes its last message.</source>
        <translation>Er wartet auf das Gerät, das seine letzte Nachricht annimmt.</translation>
    </message>
    <message>
        <source>Its last pass has ended, and it has nothing left to do.</source>
        <translation>Sein letzter Durchlauf ist zu Ende, und es hat nichts mehr zu tun.</translation>
    </message>
    <message>
        <source>Its passes are not said to leave any behind.</source>
        <translation>Von seinen Durchläufen ist nicht bekannt, dass sie eine hinterlassen.</translation>
    </message>
    <message>
        <source>Makespan</source>
        <translation>Gesamtdauer</translation>
    </message>
    <message>
        <source>Memory of device %1</source>
        <translation>Speicher von Gerät %1</translation>
    </message>
    <message>
        <source>Of the idle time of device %1, %2 lie before its first pass, %3 between its passes and %4 behind its last one; the first and the last do not grow with the number of micro-batches.</source>
        <translation>Vom Leerlauf von Gerät %1 liegen %2 vor seinem ersten Durchlauf, %3 zwischen seinen Durchläufen und %4 hinter dem letzten; der erste und der letzte Teil wachsen nicht mit der Zahl der Micro-Batches.</translation>
    </message>
    <message>
        <source>So nothing limits its order but time.</source>
        <translation>So begrenzt nichts als die Zeit seine Reihenfolge.</translation>
    </message>
    <message>
        <source>The chain goes from device to device %1, begins with %2 and ends with %3: only what shortens a pass of it moves the end.</source>
        <translation>Die Kette wechselt %1 das Gerät, beginnt mit %2 und endet mit %3: Nur was einen ihrer Durchläufe verkürzt, verschiebt das Ende.</translation>
    </message>
    <message>
        <source>The longest stretch is from %1 to %2, behind its last pass.</source>
        <translation>Der längste Zeitraum reicht von %1 bis %2, hinter dem letzten Durchlauf.</translation>
    </message>
    <message>
        <source>The longest stretch is from %1 to %2: %3 %4.</source>
        <translation>Der längste Zeitraum reicht von %1 bis %2: %3 %4.</translation>
    </message>
    <message>
        <source>The longest stretch is from %1 to %2: %3.</source>
        <translation>Der längste Zeitraum reicht von %1 bis %2: %3.</translation>
    </message>
    <message>
        <source>The others still work, so this device waits for the end of the step; it has done its %1 of work.</source>
        <translation>Die anderen arbeiten noch, also wartet dieses Gerät auf das Ende des Schritts; seine %1 Arbeit sind getan.</translation>
    </message>
    <message>
        <source>The whole takes %1: a chain of %2 passes that take %3, and %4 of messages and waits between them.</source>
        <translation>Das Ganze dauert %1: eine Kette von %2 Durchläufen, die %3 dauern, und %4 für Nachrichten und Warten dazwischen.</translation>
    </message>
    <message>
        <source>Then it keeps activations of %1: each stays from its first forward there until its backward frees it, %2 in the mean, less what is in the host&apos;s memory meanwhile.</source>
        <translation>Dann hält es Aktivierungen von %1: Jede bleibt von ihrem ersten Forward dort, bis ihr Backward sie freigibt, im Mittel %2, ohne das, was solange im Speicher des Hosts liegt.</translation>
    </message>
    <message>
        <source>Then it keeps activations of %1: each stays from its first forward there until its backward frees it, %2 in the mean.</source>
        <translation>Dann hält es Aktivierungen von %1: Jede bleibt von ihrem ersten Forward dort, bis ihr Backward sie freigibt, im Mittel %2.</translation>
    </message>
    <message>
        <source>Were %1 shorter by %2, the whole would end %3 sooner.</source>
        <translation>Wäre %1 um %2 kürzer, würde das Ganze %3 früher enden.</translation>
    </message>
    <message>
        <source>Were %1 shorter by %2, the whole would end no sooner: other passes hold the end.</source>
        <translation>Wäre %1 um %2 kürzer, würde das Ganze nicht früher enden: Andere Durchläufe bestimmen das Ende.</translation>
    </message>
    <message>
        <source>Were it %1 longer, the end would not move: what comes after it has that much room.</source>
        <translation>Wäre er %1 länger, bliebe das Ende, wo es ist: Was danach kommt, hat so viel Puffer.</translation>
    </message>
    <message>
        <source>Were it %1 longer, the whole would end %2 later: it is on the critical path.</source>
        <translation>Wäre er %1 länger, würde das Ganze %2 später enden: Er liegt auf dem kritischen Pfad.</translation>
    </message>
    <message>
        <source>Were it %1 longer, the whole would end %2 later; the other %3 would go into idle time.</source>
        <translation>Wäre er %1 länger, würde das Ganze %2 später enden; die übrigen %3 gingen in den Leerlauf.</translation>
    </message>
    <message>
        <source>What it needs was there at %1; the device was held up by a message until %2.</source>
        <translation>Was er braucht, war bei %1 da; eine Nachricht hielt das Gerät bis %2 auf.</translation>
    </message>
    <message>
        <source>What it waits for takes no time of its own that could be less.</source>
        <translation>Worauf es wartet, dauert selbst nichts, was kürzer werden könnte.</translation>
    </message>
    <message>
        <source>micro-batch %1</source>
        <translation>Micro-Batch %1</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>nothing is known of device %1 at %2</source>
        <translation>von Gerät %1 ist bei %2 nichts bekannt</translation>
    </message>
    <message>
        <source>nothing is missing: the time between two passes (launch, host)</source>
        <translation>nichts fehlt: die Zeit zwischen zwei Durchläufen (Start, Host)</translation>
    </message>
    <message>
        <source>nothing left to do</source>
        <translation>nichts mehr zu tun</translation>
    </message>
    <message>
        <source>waits for %1, which ends at %2</source>
        <translation>wartet auf %1, Ende bei %2</translation>
    </message>
    <message>
        <source>waits for %1, which ends at %2, and %3 for its message</source>
        <translation>wartet auf %1, Ende bei %2, und %3 auf die Nachricht</translation>
    </message>
    <message>
        <source>waits for its activation, which comes back from the host from %1 to %2</source>
        <translation>wartet auf seine Aktivierung, die von %1 bis %2 vom Host zurückkommt</translation>
    </message>
    <message>
        <source>waits for the message of %1</source>
        <translation>wartet auf die Nachricht von %1</translation>
    </message>
    <message>
        <source>waits for the message of %1, under way for %2</source>
        <translation>wartet auf die Nachricht von %1, %2 unterwegs</translation>
    </message>
    <message>
        <source>waits for the message of %1, which was not recorded; usually %2</source>
        <translation>wartet auf die Nachricht von %1, die nicht aufgezeichnet wurde; gewöhnlich %2</translation>
    </message>
    <message>
        <source>waits until the receiver of its last result has come to the receive</source>
        <translation>wartet, bis der Empfänger seines letzten Ergebnisses beim Empfang ist</translation>
    </message>
    <message>
        <source>%1: not a trace: %2</source>
        <translation>%1: kein Trace: %2</translation>
    </message>
    <message>
        <source>%1: not a trace: no event in it; %2</source>
        <translation>%1: kein Trace: kein Ereignis darin; %2</translation>
    </message>
    <message>
        <source>HTML or XML, perhaps a page that came in place of the file</source>
        <translation>HTML oder XML, vielleicht eine Seite, die statt der Datei kam</translation>
    </message>
    <message>
        <source>a pickle of Python; a trace is exported as JSON</source>
        <translation>ein Pickle von Python; ein Trace wird als JSON exportiert</translation>
    </message>
    <message>
        <source>a pointer of Git LFS in place of the file; git lfs pull brings the file</source>
        <translation>ein Zeiger von Git LFS statt der Datei; git lfs pull holt die Datei</translation>
    </message>
    <message>
        <source>a report of Nsight Compute, which is of single kernels</source>
        <translation>ein Bericht von Nsight Compute, der einzelne Kernel betrifft</translation>
    </message>
    <message>
        <source>a report of Nsight Systems; import what nsys export --type sqlite makes of it</source>
        <translation>ein Bericht von Nsight Systems; importiert wird, was nsys export --type sqlite daraus macht</translation>
    </message>
    <message>
        <source>a tar archive; unpack it and import the folder</source>
        <translation>ein Tar-Archiv; entpacken und den Ordner importieren</translation>
    </message>
    <message>
        <source>a zip archive in another file; unpack it first</source>
        <translation>ein Zip-Archiv in einer anderen Datei; zuerst entpacken</translation>
    </message>
    <message>
        <source>an SQLite file that is packed; unpack it first</source>
        <translation>eine gepackte SQLite-Datei; zuerst entpacken</translation>
    </message>
    <message>
        <source>neither JSON nor a log or a table that is read</source>
        <translation>weder JSON noch ein Protokoll oder eine Tabelle, die gelesen werden</translation>
    </message>
    <message>
        <source>packed by %1, which is not read; unpack it first</source>
        <translation>mit %1 gepackt, was nicht gelesen wird; zuerst entpacken</translation>
    </message>
    <message>
        <source>planes of XLA&apos;s profiler; import the .trace.json.gz that lies beside them</source>
        <translation>Ebenen des Profilers von XLA; die .trace.json.gz importieren, die daneben liegt</translation>
    </message>
    <message>
        <source>%1 has no plan or comparison a%2</source>
        <translation>%1 hat keinen Plan oder Vergleich a%2</translation>
    </message>
    <message>
        <source>%1 is %2; 0 to %3</source>
        <translation>%1 ist %2; 0 bis %3</translation>
    </message>
    <message>
        <source>%1 is not read: it is a pipe or a device, and no file</source>
        <translation>%1 wird nicht gelesen: Es ist eine Pipe oder ein Gerät und keine Datei</translation>
    </message>
    <message>
        <source>%1 is not read: its table %2 is a program&apos;s (a virtual table); tables of a store only hold values</source>
        <translation>%1 wird nicht gelesen: Die Tabelle %2 gehört einem Programm (eine virtuelle Tabelle); Tabellen einer Ablage enthalten nur Werte</translation>
    </message>
    <message>
        <source>%1 is not read: the column %2 of its table %3 is computed by an expression in the file; columns of a store only hold values</source>
        <translation>%1 wird nicht gelesen: Die Spalte %2 der Tabelle %3 wird von einem Ausdruck in der Datei berechnet; Spalten einer Ablage enthalten nur Werte</translation>
    </message>
    <message>
        <source>%1 is not read: the index %2 of its table %3 computes by an expression in the file; indexes of a store only have columns</source>
        <translation>%1 wird nicht gelesen: Der Index %2 der Tabelle %3 rechnet mit einem Ausdruck in der Datei; Indizes einer Ablage haben nur Spalten</translation>
    </message>
    <message>
        <source>%1 is there already, and Pipewright has not written it, or it was changed since; name another folder, or move it away</source>
        <translation>%1 ist schon da und nicht von Pipewright geschrieben oder seither geändert; einen anderen Ordner nennen oder die Datei wegräumen</translation>
    </message>
    <message>
        <source>%1: not a trace: its list holds numbers or lists in place of events, as PyTorch&apos;s memory timeline does</source>
        <translation>%1: keine Aufzeichnung: Die Liste enthält Zahlen oder Listen anstelle von Ereignissen, wie die Speicherkurve von PyTorch</translation>
    </message>
    <message>
        <source>%1: the column %2 of its table %3 is computed by an expression in the file; no export of Nsight Systems has such</source>
        <translation>%1: Die Spalte %2 der Tabelle %3 wird von einem Ausdruck in der Datei berechnet; das hat kein Export von Nsight Systems</translation>
    </message>
    <message>
        <source>It holds more than the memory limits; no order within them takes less than %1: %2.</source>
        <translation>Sie hält mehr, als die Speichergrenzen erlauben; keine Ordnung innerhalb davon braucht weniger als %1: %2.</translation>
    </message>
    <message>
        <source>No order of this work in as much memory takes less than %1; this one takes %2 longer: %3.</source>
        <translation>Keine Ordnung dieser Arbeit in ebenso viel Speicher braucht weniger als %1; diese braucht %2 länger: %3.</translation>
    </message>
    <message>
        <source>No order of this work in as much memory takes less: %1.</source>
        <translation>Keine Ordnung dieser Arbeit in ebenso viel Speicher braucht weniger: %1.</translation>
    </message>
    <message>
        <source>No order of this work within the memory limits takes less than %1; this one takes %2 longer: %3.</source>
        <translation>Keine Ordnung dieser Arbeit innerhalb der Speichergrenzen braucht weniger als %1; diese braucht %2 länger: %3.</translation>
    </message>
    <message>
        <source>No order of this work within the memory limits takes less: %1.</source>
        <translation>Keine Ordnung dieser Arbeit innerhalb der Speichergrenzen braucht weniger: %1.</translation>
    </message>
    <message>
        <source>a store needs the name of a file: there is no home folder (HOME) to keep runs in, so name one with --store or PIPEWRIGHT_STORE</source>
        <translation>eine Ablage braucht den Namen einer Datei: Es gibt keinen persönlichen Ordner (HOME) für Läufe; eine mit --store oder PIPEWRIGHT_STORE nennen</translation>
    </message>
    <message>
        <source>answer %1 is of no known kind</source>
        <translation>Antwort %1 ist von keiner bekannten Art</translation>
    </message>
    <message>
        <source>cannot make %1 a program: %2</source>
        <translation>%1 lässt sich nicht ausführbar machen: %2</translation>
    </message>
    <message>
        <source>cannot write into %1: another program writes into it at this time</source>
        <translation>in %1 kann nicht geschrieben werden: Ein anderes Programm schreibt gerade hinein</translation>
    </message>
    <message>
        <source>denseLayers is %1; the model has %2 layers</source>
        <translation>denseLayers ist %1; das Modell hat %2 Schichten</translation>
    </message>
    <message>
        <source>device %1 starts after %2 at the earliest, works for %3, and %4 follow behind its last pass</source>
        <translation>Gerät %1 beginnt frühestens nach %2, arbeitet %3, und hinter seinem letzten Durchlauf folgen %4</translation>
    </message>
    <message>
        <source>device %1 starts after %2 at the earliest, works for %3, waits for at least %4, and %5 follow behind its last pass</source>
        <translation>Gerät %1 beginnt frühestens nach %2, arbeitet %3, wartet mindestens %4, und hinter seinem letzten Durchlauf folgen %5</translation>
    </message>
    <message>
        <source>every order was looked at</source>
        <translation>jede Ordnung wurde angesehen</translation>
    </message>
    <message>
        <source>its %1 is a %2, where a store has a table</source>
        <translation>%1 ist darin %2, wo eine Ablage eine Tabelle hat</translation>
    </message>
    <message>
        <source>its table %1 does not number its rows as a store does</source>
        <translation>die Tabelle %1 nummeriert ihre Zeilen nicht wie eine Ablage</translation>
    </message>
    <message>
        <source>its table %1 has %2 where a store has the column %3</source>
        <translation>die Tabelle %1 hat %2, wo eine Ablage die Spalte %3 hat</translation>
    </message>
    <message>
        <source>its table %1 has a column %2, which a store has not</source>
        <translation>die Tabelle %1 hat eine Spalte %2, die eine Ablage nicht hat</translation>
    </message>
    <message>
        <source>latent attention of rank %1 has heads of %2 and %3 numbers and values of %4; at least 1 each</source>
        <translation>latente Attention vom Rang %1 hat Köpfe mit %2 und %3 Zahlen und Werte mit %4; je mindestens 1</translation>
    </message>
    <message>
        <source>of any order of this work in as much memory</source>
        <translation>aller Ordnungen dieser Arbeit in ebenso viel Speicher</translation>
    </message>
    <message>
        <source>of any order of this work within the memory limits</source>
        <translation>aller Ordnungen dieser Arbeit innerhalb der Speichergrenzen</translation>
    </message>
    <message>
        <source>the column %1</source>
        <translation>die Spalte %1</translation>
    </message>
    <message>
        <source>the column %1 of its table %2 is not that of a store</source>
        <translation>die Spalte %1 der Tabelle %2 ist nicht die einer Ablage</translation>
    </message>
    <message>
        <source>the model has no experts; expertsPerToken, expertWidth, sharedExperts and denseLayers are for a model that has some</source>
        <translation>das Modell hat keine Experten; expertsPerToken, expertWidth, sharedExperts und denseLayers gelten für eines mit Experten</translation>
    </message>
    <message>
        <source>there is no family &apos;%1&apos;; did you mean %2, which is %3?</source>
        <translation>es gibt keine Familie „%1“; ist %2 gemeint, also %3?</translation>
    </message>
    <message>
        <source>there is no home folder (HOME) to keep rules in: name a file in PIPEWRIGHT_RULES</source>
        <translation>es gibt keinen persönlichen Ordner (HOME) für Regeln: eine Datei in PIPEWRIGHT_RULES nennen</translation>
    </message>
    <message>
        <source>this is not a schedule: hardly a line says what a device does, as d0: F0 F1 BW0</source>
        <translation>das ist kein Ablaufplan: kaum eine Zeile sagt, was ein Gerät tut, wie d0: F0 F1 BW0</translation>
    </message>
    <message>
        <source>this is not a schedule: no cell is an action such as 2F0</source>
        <translation>das ist kein Ablaufplan: keine Zelle ist eine Aktion wie 2F0</translation>
    </message>
    <message>
        <source>%1 MHz</source>
        <translation>%1 MHz</translation>
    </message>
    <message>
        <source>%1 W</source>
        <translation>%1 W</translation>
    </message>
    <message>
        <source>%1 has numbers of %2 layers and pp_division has %3</source>
        <translation>%1 hat Zahlen für %2 Schichten, und pp_division hat %3</translation>
    </message>
    <message>
        <source>%1 is %2; it can be %3</source>
        <translation>%1 ist %2; möglich ist %3</translation>
    </message>
    <message>
        <source>%1 is %2; it is a power of two</source>
        <translation>%1 ist %2; es ist eine Zweierpotenz</translation>
    </message>
    <message>
        <source>%1 of layer %2 is %3; it can be %4 to %5</source>
        <translation>%1 der Schicht %2 ist %3; möglich ist %4 bis %5</translation>
    </message>
    <message>
        <source>%1 of layer %2 is %3; it is a power of two</source>
        <translation>%1 der Schicht %2 ist %3; es ist eine Zweierpotenz</translation>
    </message>
    <message>
        <source>%1 to %2 °C</source>
        <translation>%1 bis %2 °C</translation>
    </message>
    <message>
        <source>%1 °C</source>
        <translation>%1 °C</translation>
    </message>
    <message>
        <source>GPU %1</source>
        <translation>GPU %1</translation>
    </message>
    <message>
        <source>GPU %1 of rank %2</source>
        <translation>GPU %1 von Rang %2</translation>
    </message>
    <message>
        <source>GPU %1: %2 of the %3 that the driver says are taken nobody has accounted for; up to %4 are usual: another process, or a library that took more while it ran</source>
        <translation>GPU %1: %2 der %3, die laut Treiber belegt sind, gehören zu nichts Bekanntem; üblich sind bis zu %4: ein anderer Prozess oder eine Bibliothek, die während des Laufs mehr genommen hat</translation>
    </message>
    <message>
        <source>GPU %1: the ranks have taken %2 and used %3 at most; up to %4 more than that are usual: the memory is fragmented, or an earlier plan needed more</source>
        <translation>GPU %1: Die Ränge haben %2 belegt und höchstens %3 benutzt; üblich sind bis zu %4 mehr: Der Speicher ist zerstückelt, oder ein früherer Plan brauchte mehr</translation>
    </message>
    <message>
        <source>clocks that somebody has set</source>
        <translation>von jemandem gesetzte Takte</translation>
    </message>
    <message>
        <source>costs: %1 of entry %2 is %3; it can be 0 to %4</source>
        <translation>Kosten: %1 des Eintrags %2 ist %3; möglich ist 0 bis %4</translation>
    </message>
    <message>
        <source>costs: the single time of %1 is %2; it can be 0 to %3</source>
        <translation>Kosten: die einzelne Zeit von %1 ist %2; möglich ist 0 bis %3</translation>
    </message>
    <message>
        <source>global_bsz is %1 and chunks is %2; each micro-batch has a sample at least</source>
        <translation>global_bsz ist %1 und chunks ist %2; jeder Micro-Batch hat mindestens ein Beispiel</translation>
    </message>
    <message>
        <source>heat</source>
        <translation>Hitze</translation>
    </message>
    <message>
        <source>its board</source>
        <translation>ihre Platine</translation>
    </message>
    <message>
        <source>its power limit</source>
        <translation>ihre Leistungsgrenze</translation>
    </message>
    <message>
        <source>memory %1 MHz</source>
        <translation>Speicher %1 MHz</translation>
    </message>
    <message>
        <source>no throttling</source>
        <translation>nicht gedrosselt</translation>
    </message>
    <message>
        <source>other %1</source>
        <translation>sonstiges %1</translation>
    </message>
    <message>
        <source>others have given back %1 meanwhile</source>
        <translation>andere haben inzwischen %1 zurückgegeben</translation>
    </message>
    <message>
        <source>the machine&apos;s power supply</source>
        <translation>die Stromversorgung des Rechners</translation>
    </message>
    <message>
        <source>throttled by %1</source>
        <translation>gedrosselt durch %1</translation>
    </message>
    <message>
        <source>%1 %2 of device %3</source>
        <translation>%1 %2 von Gerät %3</translation>
    </message>
    <message>
        <source>%1 and later</source>
        <translation>%1 und später</translation>
    </message>
    <message>
        <source>%1 and sooner</source>
        <translation>%1 und früher</translation>
    </message>
    <message>
        <source>%1 before %2</source>
        <translation>%1 vor %2</translation>
    </message>
    <message>
        <source>%1 before %2 and sooner</source>
        <translation>%1 vor %2 und früher</translation>
    </message>
    <message>
        <source>%1 behind %2</source>
        <translation>%1 hinter %2</translation>
    </message>
    <message>
        <source>%1 behind %2 and later</source>
        <translation>%1 hinter %2 und später</translation>
    </message>
    <message>
        <source>%1 of stage %2</source>
        <translation>%1 von Stufe %2</translation>
    </message>
    <message>
        <source>%1 pass</source>
        <translation>%1 Durchlauf</translation>
    </message>
    <message>
        <source>%1 passes</source>
        <translation>%1 Durchläufe</translation>
    </message>
    <message>
        <source>%1, and %2</source>
        <translation>%1, und %2</translation>
    </message>
    <message>
        <source>Galvatron knows the orders of %1; this schedule has another one</source>
        <translation>Galvatron kennt die Reihenfolgen von %1; dieser Ablaufplan hat eine andere</translation>
    </message>
    <message>
        <source>Megatron-LM runs %1, not %2; --emit torch writes its order</source>
        <translation>Megatron-LM führt %1 aus, nicht %2; --emit torch schreibt seine Reihenfolge</translation>
    </message>
    <message>
        <source>families of your own files</source>
        <translation>Familien aus eigenen Dateien</translation>
    </message>
    <message>
        <source>moves %1; %2 of %3 in all</source>
        <translation>verschiebt %1; insgesamt %2 von %3</translation>
    </message>
    <message>
        <source>runs B and W as one BW</source>
        <translation>führt B und W als ein BW aus</translation>
    </message>
    <message>
        <source>splits every backward into B and W</source>
        <translation>teilt jeden Backward in B und W</translation>
    </message>
    <message>
        <source>their order is a search of its own</source>
        <translation>ihre Reihenfolge ist selbst eine Suche</translation>
    </message>
    <message>
        <source>%1 has %2 less of free memory than before, by the driver: %3 in use by the ranks at most, %4 of blocks around that, contexts %5, libraries&apos; workspaces and graphs %6, connections %7, %8</source>
        <translation>%1 hat laut Treiber %2 weniger freien Speicher als vorher: höchstens %3 von den Rängen benutzt, %4 Blöcke darum herum, Kontexte %5, Arbeitsspeicher der Bibliotheken und Graphen %6, Verbindungen %7, %8</translation>
    </message>
    <message>
        <source>a loss is fused, fp32, unfused, or chunked:N with N of 1 to %1, not &quot;%2&quot;</source>
        <translation>ein Verlust ist fused, fp32, unfused oder chunked:N mit N von 1 bis %1, nicht „%2“</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rang %1</translation>
    </message>
    <message>
        <source>there is no engine &quot;%1&quot;; there are %2</source>
        <translation>es gibt keine Engine „%1“; es gibt %2</translation>
    </message>
    <message>
        <source>%1 on %2 was launched before and waits, too; %3 is launched %4 after the end of %5</source>
        <translation>%1 auf %2 wurde vorher gestartet und wartet auch; %3 wird %4 nach dem Ende von %5 gestartet</translation>
    </message>
    <message>
        <source>%1; %2 of it for %3</source>
        <translation>%1; davon %2 auf %3</translation>
    </message>
    <message>
        <source>%1; before that, %2 for the host</source>
        <translation>%1; davor %2 auf den Host</translation>
    </message>
    <message>
        <source>%1; its thread is in %2 for %3 of it</source>
        <translation>%1; davon ist sein Thread %3 in %2</translation>
    </message>
    <message>
        <source>%1; its thread waits for the device in %2 until %3 after that end</source>
        <translation>%1; sein Thread wartet in %2 bis %3 nach diesem Ende auf das Gerät</translation>
    </message>
    <message>
        <source>%1; then %2 for %3 on %4</source>
        <translation>%1; danach %2 auf %3 auf %4</translation>
    </message>
    <message>
        <source>another rank</source>
        <translation>einen anderen Rang</translation>
    </message>
    <message>
        <source>launch gap: %1 is launched %2 after the end of %3 and begins %4 later</source>
        <translation>Startlücke: %1 wird %2 nach dem Ende von %3 gestartet und beginnt %4 später</translation>
    </message>
    <message>
        <source>launch gap: %1 is launched %2 before the end of %3 and begins %4 after it</source>
        <translation>Startlücke: %1 wird %2 vor dem Ende von %3 gestartet und beginnt %4 danach</translation>
    </message>
    <message>
        <source>launch gap: %1 takes %2 to launch %3</source>
        <translation>Startlücke: %1 braucht %2, um %3 zu starten</translation>
    </message>
    <message>
        <source>not known why: the launch of %1 is not in the trace</source>
        <translation>warum, ist nicht bekannt: der Start von %1 ist nicht im Trace</translation>
    </message>
    <message>
        <source>nothing runs any more: %1 is the last activity</source>
        <translation>nichts läuft mehr: %1 ist die letzte Aktivität</translation>
    </message>
    <message>
        <source>nothing runs yet: %1 is the first activity</source>
        <translation>noch läuft nichts: %1 ist die erste Aktivität</translation>
    </message>
    <message>
        <source>nothing runs yet: %1 is the first activity, launched %2 before it begins</source>
        <translation>noch läuft nichts: %1 ist die erste Aktivität, gestartet %2 vor ihrem Beginn</translation>
    </message>
    <message>
        <source>waits %1 of its %2 for %3, which begins that much later</source>
        <translation>wartet %1 von %2 auf %3, der so viel später beginnt</translation>
    </message>
    <message>
        <source>waits for %1 on %2, which ends %3 before %4 begins</source>
        <translation>wartet auf %1 auf %2, das %3 vor dem Beginn von %4 endet</translation>
    </message>
    <message>
        <source>waits for %1, which begins %2 after %3 on %4</source>
        <translation>wartet auf %1, der %2 nach %3 auf %4 beginnt</translation>
    </message>
    <message>
        <source>waits for the host: %1 is launched only %2 after the end of %3</source>
        <translation>wartet auf den Host: %1 wird erst %2 nach dem Ende von %3 gestartet</translation>
    </message>
    <message>
        <source>waits for the host: %1 launches %2 only %3 after the end of %4</source>
        <translation>wartet auf den Host: %1 startet %2 erst %3 nach dem Ende von %4</translation>
    </message>
    <message>
        <source>%1 slice</source>
        <translation>%1 Abschnitt</translation>
    </message>
    <message>
        <source>%1 slices</source>
        <translation>%1 Abschnitte</translation>
    </message>
    <message>
        <source>%1; its thread does nothing that was recorded</source>
        <translation>%1; von seinem Thread ist nichts aufgezeichnet</translation>
    </message>
    <message>
        <source>%1; its thread runs %2 for %3 of it</source>
        <translation>%1; davon durchläuft sein Thread %3 lang %2</translation>
    </message>
    <message>
        <source>%1; its thread runs %2 meanwhile</source>
        <translation>%1; sein Thread durchläuft währenddessen %2</translation>
    </message>
    <message>
        <source>%1 devices of %2 accelerators in %3 replicas are more than %4 accelerators</source>
        <translation>%1 Geräte aus %2 Beschleunigern in %3 Replikaten sind mehr als %4 Beschleuniger</translation>
    </message>
    <message>
        <source>%1 is %2; a number of %3 above 0, at most %4</source>
        <translation>%1 ist %2; eine Zahl (%3) über 0, höchstens %4</translation>
    </message>
    <message>
        <source>%1 is %2; yes or no</source>
        <translation>%1 ist %2; yes oder no</translation>
    </message>
    <message>
        <source>%1 measured iteration</source>
        <translation>%1 gemessene Iteration</translation>
    </message>
    <message>
        <source>%1 measured iterations</source>
        <translation>%1 gemessene Iterationen</translation>
    </message>
    <message>
        <source>layers_by_stage is %1; layers such as 4-7-7-6</source>
        <translation>layers_by_stage ist %1; Schichten wie 4-7-7-6</translation>
    </message>
    <message>
        <source>times fitted to %1: 9 of 10 measured ones lie within −%2 and +%3 %</source>
        <translation>Zeiten angepasst an %1: 9 von 10 gemessenen liegen zwischen −%2 und +%3 %</translation>
    </message>
    <message>
        <source>zero is %1; 0 to 3</source>
        <translation>zero ist %1; 0 bis 3</translation>
    </message>
    <message>
        <source>costs: the part of fragments is %1; it can be 0 to 1</source>
        <translation>Kosten: der Anteil der Fragmente ist %1; er kann 0 bis 1 sein</translation>
    </message>
    <message>
        <source>%1 is not a kind; kinds are F, B, W, BW, R, U, send-F, recv-F, send-B, recv-B, step and rest</source>
        <translation>%1 ist keine Art; Arten sind F, B, W, BW, R, U, send-F, recv-F, send-B, recv-B, step und rest</translation>
    </message>
    <message>
        <source>%1: no timer of a rank, no iteration and no argument of a training in it can be read</source>
        <translation>%1: darin ist weder ein Zeitmesser eines Rangs noch eine Iteration noch ein Argument eines Trainings lesbar</translation>
    </message>
    <message>
        <source>JSON Lines without an event that is known; an event has ph, ts and pid</source>
        <translation>JSON Lines ohne ein bekanntes Ereignis; ein Ereignis hat ph, ts und pid</translation>
    </message>
    <message>
        <source>PyTorch&apos;s execution trace, which has operators without times; export the profiler&apos;s trace beside it (export_chrome_trace)</source>
        <translation>ein Execution Trace von PyTorch, der Operatoren ohne Zeiten hat; exportieren Sie daneben die Aufzeichnung des Profilers (export_chrome_trace)</translation>
    </message>
    <message>
        <source>YAML, which holds no events; simulate and plan take what it sets as options</source>
        <translation>YAML, das keine Ereignisse enthält; simulate und plan nehmen das, was darin steht, als Optionen</translation>
    </message>
    <message>
        <source>a joined rule has a pattern for the span&apos;s name too, with its {kind}</source>
        <translation>eine zusammengesetzte Regel hat auch ein Muster für den Namen des Abschnitts, mit seinem {kind}</translation>
    </message>
    <message>
        <source>an argument is args:KEY={field}, with the field of one number</source>
        <translation>ein Argument ist args:KEY={field}, mit dem Feld einer Zahl</translation>
    </message>
    <message>
        <source>its list holds numbers or lists in place of events, as PyTorch&apos;s memory timeline does; export the profiler&apos;s trace (export_chrome_trace)</source>
        <translation>Die Liste enthält Zahlen oder Listen anstelle von Ereignissen, wie die Speicherkurve von PyTorch; exportieren Sie die Aufzeichnung des Profilers (export_chrome_trace)</translation>
    </message>
    <message>
        <source>no event in it; it is a log without times that are read</source>
        <translation>kein Ereignis darin; es ist ein Protokoll ohne Zeiten, die gelesen werden</translation>
    </message>
    <message>
        <source>only a span&apos;s name says the kind</source>
        <translation>nur der Name eines Abschnitts sagt die Art</translation>
    </message>
    <message>
        <source>part %1, %2</source>
        <translation>Teil %1, %2</translation>
    </message>
    <message>
        <source>part %1: the span&apos;s name has a pattern already</source>
        <translation>Teil %1: der Name des Abschnitts hat schon ein Muster</translation>
    </message>
    <message>
        <source>this is JSON Lines and no schedule: a project is one JSON value; import reads lines that are events</source>
        <translation>das sind JSON Lines und kein Ablaufplan: ein Projekt ist ein einziger JSON-Wert; import liest Zeilen, die Ereignisse sind</translation>
    </message>
    <message>
        <source>this is PyTorch&apos;s execution trace and no schedule: it has operators without times; import reads what the profiler exports (export_chrome_trace)</source>
        <translation>das ist ein Execution Trace von PyTorch und kein Ablaufplan: er hat Operatoren ohne Zeiten; import liest, was der Profiler exportiert (export_chrome_trace)</translation>
    </message>
    <message>
        <source>this is PyTorch&apos;s memory timeline and no schedule: it has sizes without passes; import reads what the profiler exports (export_chrome_trace)</source>
        <translation>das ist die Speicherkurve von PyTorch und kein Ablaufplan: sie hat Größen ohne Durchläufe; import liest, was der Profiler exportiert (export_chrome_trace)</translation>
    </message>
    <message>
        <source>this is YAML and no schedule: simulate takes the name of a family with --devices and --micro-batches; a schedule is a line a device, as d0: F0 F1 BW0</source>
        <translation>das ist YAML und kein Ablaufplan: simulate nimmt den Namen einer Familie mit --devices und --micro-batches; ein Ablaufplan hat eine Zeile je Gerät, wie d0: F0 F1 BW0</translation>
    </message>
    <message>
        <source>this is a log and no schedule: import says which times are in it; a schedule is a line a device, as d0: F0 F1 BW0</source>
        <translation>das ist ein Protokoll und kein Ablaufplan: import sagt, welche Zeiten darin stehen; ein Ablaufplan hat eine Zeile je Gerät, wie d0: F0 F1 BW0</translation>
    </message>
    <message>
        <source>{%1} is not a field; fields are kind, stage, micro-batch, chunk, rank, segment, iteration and replica</source>
        <translation>{%1} ist kein Feld; Felder sind kind, stage, micro-batch, chunk, rank, segment, iteration und replica</translation>
    </message>
    <message>
        <source>%1 cannot be read</source>
        <translation>%1 kann nicht gelesen werden</translation>
    </message>
    <message>
        <source>%1 has a number that nothing has</source>
        <translation>%1 enthält eine Zahl, die nichts haben kann</translation>
    </message>
    <message>
        <source>%1 has a time that nothing has</source>
        <translation>%1 enthält eine Zeit, die nichts haben kann</translation>
    </message>
    <message>
        <source>%1 is not as long as the numbers beside it</source>
        <translation>%1 ist nicht so lang wie die Zahlen daneben</translation>
    </message>
    <message>
        <source>%1 is not what a digest has</source>
        <translation>%1 ist nicht das, was in einer Kurzfassung steht</translation>
    </message>
    <message>
        <source>%1 lacks a number at its end</source>
        <translation>In %1 fehlt am Ende eine Zahl</translation>
    </message>
    <message>
        <source>%1: a digest is one object</source>
        <translation>%1: Eine Kurzfassung ist ein einziges Objekt</translation>
    </message>
    <message>
        <source>a digest is too large to be packed</source>
        <translation>Eine Kurzfassung ist zu groß, um gepackt zu werden</translation>
    </message>
    <message>
        <source>a digest of more than %1 bytes</source>
        <translation>Eine Kurzfassung von mehr als %1 Bytes</translation>
    </message>
    <message>
        <source>reading was stopped</source>
        <translation>Das Lesen wurde abgebrochen</translation>
    </message>
    <message>
        <source>there is no memory to pack a digest</source>
        <translation>Zum Packen einer Kurzfassung fehlt Speicher</translation>
    </message>
    <message>
        <source>%1 are %2; the model has %3</source>
        <translation>%1 sind %2; das Modell hat %3</translation>
    </message>
    <message>
        <source>%1 gives layers of %2; there are %3</source>
        <translation>%1 nennt Schichten von %2; es sind %3</translation>
    </message>
    <message>
        <source>%1 layers cannot be split over %2 stages</source>
        <translation>%1 Schichten lassen sich nicht auf %2 Stufen verteilen</translation>
    </message>
    <message>
        <source>%1 of %2 waits until %3 makes their communicator with it, which is held in %4</source>
        <translation>%1 von %2 wartet, bis %3 den gemeinsamen Kommunikator mit ihm anlegt; der hängt in %4</translation>
    </message>
    <message>
        <source>Megatron has no chunks on a single pipeline rank</source>
        <translation>Megatron hat auf einem einzigen Pipeline-Rang keine Chunks</translation>
    </message>
    <message>
        <source>Megatron&apos;s interleaved order goes in groups of at least %1 micro-batches, as many as ranks, and takes no rest below that; %2 micro-batches are not such a number</source>
        <translation>Megatrons verschränkte Reihenfolge geht in Gruppen von mindestens %1 Micro-Batches, so vielen wie Rängen, und nimmt keinen kleineren Rest; %2 Micro-Batches sind keine solche Zahl</translation>
    </message>
    <message>
        <source>Megatron-LM runs %1 chunks a device in groups of micro-batches, from as many as pipeline ranks to all of them, and with no rest below that; a group of %2 with %3 ranks and %4 micro-batches is none of these</source>
        <translation>Megatron-LM führt %1 Chunks je Gerät in Gruppen von Micro-Batches aus, von so vielen wie Pipeline-Rängen bis zu allen, und ohne kleineren Rest; eine Gruppe von %2 bei %3 Rängen und %4 Micro-Batches ist keine davon</translation>
    </message>
    <message>
        <source>Primus keeps weights&apos; gradients apart for one stage a rank and for a V; of %1 chunks a rank laid round and round it has whole backwards only</source>
        <translation>Primus trennt die Gradienten der Gewichte bei einer Stufe je Rang und beim V; bei %1 reihum gelegten Chunks je Rang kennt es nur ganze Rückwärtspässe</translation>
    </message>
    <message>
        <source>Primus places stages one a rank, round and round, or in a V of two; this schedule has another placement</source>
        <translation>Primus legt Stufen einzeln auf die Ränge, reihum oder als V aus zweien; dieser Plan hat eine andere Anordnung</translation>
    </message>
    <message>
        <source>a stage cannot have %1 layers</source>
        <translation>eine Stufe kann nicht %1 Schichten haben</translation>
    </message>
    <message>
        <source>layers are moved where the model lies in the pipeline once, and it does so %1 times</source>
        <translation>Schichten werden verschoben, wo das Modell einmal in der Pipeline liegt; hier liegt es %1-mal darin</translation>
    </message>
    <message>
        <source>layers are moved where the model lies in the pipeline once, with as many segments as were measured</source>
        <translation>Schichten werden verschoben, wo das Modell einmal in der Pipeline liegt, mit so vielen Segmenten wie gemessen</translation>
    </message>
    <message>
        <source>layers of %1 are given; the order has %2</source>
        <translation>Schichten von %1 sind angegeben; die Reihenfolge hat %2</translation>
    </message>
    <message>
        <source>layers of stages are whole numbers with commas between, such as 4,4,4,4, and not %1</source>
        <translation>Schichten von Stufen sind ganze Zahlen mit Kommas dazwischen, etwa 4,4,4,4, und nicht %1</translation>
    </message>
    <message>
        <source>no split of the layers stays below the limit on every device</source>
        <translation>keine Aufteilung der Schichten bleibt auf jedem Gerät unter der Grenze</translation>
    </message>
    <message>
        <source>no stage has a layer</source>
        <translation>keine Stufe hat eine Schicht</translation>
    </message>
    <message>
        <source>stage %1 has multi-token layers, which neither TorchTitan nor NeMo AutoModel has a name for</source>
        <translation>Stufe %1 hat Multi-Token-Schichten, für die weder TorchTitan noch NeMo AutoModel einen Namen hat</translation>
    </message>
    <message>
        <source>the split %1 has %2 on %3; the model has %4, and the order %5</source>
        <translation>die Aufteilung %1 hat %2 auf %3; das Modell hat %4, und die Reihenfolge %5</translation>
    </message>
    <message>
        <source>%1 begins passes late that nothing holds up: the host launches them late, or waits for data; without it the step would be %2 shorter</source>
        <translation>%1 beginnt Durchläufe zu spät, die nichts aufhält: der Host startet sie spät oder wartet auf Daten; ohne das wäre der Schritt %2 kürzer</translation>
    </message>
    <message>
        <source>%1 of %2, %3; a step takes %4 in the median</source>
        <translation>%1 mit %2, %3; ein Schritt dauert im Median %4</translation>
    </message>
    <message>
        <source>%1 of &apos;%2&apos; on the host in such a step</source>
        <translation>%1 „%2“ auf dem Host in einem solchen Schritt</translation>
    </message>
    <message>
        <source>%1 of all ranks&apos; time computes = replicas %2 · stages %3 · order %4 · links %5</source>
        <translation>%1 der Zeit aller Ränge rechnet = Replikate %2 · Stufen %3 · Reihenfolge %4 · Verbindungen %5</translation>
    </message>
    <message>
        <source>%1 of replica %2</source>
        <translation>%1 von Replikat %2</translation>
    </message>
    <message>
        <source>%1 step</source>
        <translation>%1 Schritt</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 Schritte</translation>
    </message>
    <message>
        <source>every pass takes the mean of its kind</source>
        <translation>jeder Durchlauf dauert das Mittel seiner Art</translation>
    </message>
    <message>
        <source>if %1: a step of %2, %3 shorter</source>
        <translation>falls gilt: %1: ein Schritt von %2, %3 kürzer</translation>
    </message>
    <message>
        <source>messages take no time</source>
        <translation>Nachrichten brauchen keine Zeit</translation>
    </message>
    <message>
        <source>nothing begins late that nothing holds up</source>
        <translation>nichts beginnt zu spät, was nichts aufhält</translation>
    </message>
    <message>
        <source>nothing stands out: replicas, stages, links, micro-batches and steps are alike</source>
        <translation>nichts fällt auf: Replikate, Stufen, Verbindungen, Micro-Batches und Schritte gleichen sich</translation>
    </message>
    <message>
        <source>ranks begin passes late that nothing holds up: the host launches them late, or waits for data; without it the step would be %1 shorter</source>
        <translation>Ränge beginnen Durchläufe zu spät, die nichts aufhält: der Host startet sie spät oder wartet auf Daten; ohne das wäre der Schritt %1 kürzer</translation>
    </message>
    <message>
        <source>so evenly spaced are garbage collections and checkpoints; no span of the trace tells which</source>
        <translation>so gleichmäßig kommen Speicherbereinigungen und Checkpoints; keine Spanne des Traces sagt, was es ist</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source>stage %1 has the mean work</source>
        <translation>Stufe %1 hat die mittlere Arbeit</translation>
    </message>
    <message>
        <source>stage %1 has the mean work, in every replica</source>
        <translation>Stufe %1 hat die mittlere Arbeit, in jedem Replikat</translation>
    </message>
    <message>
        <source>stage %1 of replica %2</source>
        <translation>Stufe %1 von Replikat %2</translation>
    </message>
    <message>
        <source>stage %1 of replica %2 is as its replicas</source>
        <translation>Stufe %1 von Replikat %2 ist wie ihre Replikate</translation>
    </message>
    <message>
        <source>stages %1 and %2</source>
        <translation>Stufen %1 und %2</translation>
    </message>
    <message>
        <source>step %1 is as the others</source>
        <translation>Schritt %1 ist wie die anderen</translation>
    </message>
    <message>
        <source>the order is nearly that of %1, and passes that stand elsewhere are waited for; in that order the step would be %2 shorter</source>
        <translation>die Reihenfolge ist fast die von %1, und auf Durchläufe, die anderswo stehen, wird gewartet; in jener Reihenfolge wäre der Schritt %2 kürzer</translation>
    </message>
    <message>
        <source>the order is that of %1</source>
        <translation>die Reihenfolge ist die von %1</translation>
    </message>
    <message>
        <source>%1 is %2: another version made it; pipewright reduce makes it anew</source>
        <translation>%1 ist %2: Eine andere Version hat die Datei gemacht; pipewright reduce macht sie neu</translation>
    </message>
    <message>
        <source>%1 is not a hash</source>
        <translation>%1 ist keine Prüfsumme</translation>
    </message>
    <message>
        <source>layers are moved of models with up to %1; this one has %2</source>
        <translation>Schichten werden nur in Modellen mit bis zu %1 verschoben; dieses hat %2</translation>
    </message>
    <message>
        <source>the digest of %1 would have more than %2 bytes</source>
        <translation>die Kurzfassung von %1 hätte mehr als %2 Bytes</translation>
    </message>
    <message>
        <source>%1 and memory are both given; one medal is for one of them</source>
        <translation>%1 und memory sind beide angegeben; eine Medaille gibt es für eines von beiden</translation>
    </message>
    <message>
        <source>%1 cannot be made: %2</source>
        <translation>%1 kann nicht angelegt werden: %2</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2</source>
        <translation>%1 kann nicht geschrieben werden: %2</translation>
    </message>
    <message>
        <source>%1 has a point in its name, or is one too many</source>
        <translation>%1 hat einen Punkt im Namen oder ist eines zu viel</translation>
    </message>
    <message>
        <source>%1 has no building block</source>
        <translation>%1 hat keinen Baustein</translation>
    </message>
    <message>
        <source>%1 is %2, which is not a pass of that device</source>
        <translation>%1 ist %2, und das ist kein Durchlauf dieses Geräts</translation>
    </message>
    <message>
        <source>%1 is an array; its elements are given values one by one</source>
        <translation>%1 ist ein Feld; seine Elemente bekommen ihre Werte einzeln</translation>
    </message>
    <message>
        <source>%1 is empty; a level has a par for time_ms (of a block: interval), memory, curve or messages</source>
        <translation>%1 ist leer; ein Level hat ein Par für time_ms (bei einem Baustein: interval), memory, curve oder messages</translation>
    </message>
    <message>
        <source>%1 is there already; an archive goes to a new folder</source>
        <translation>%1 ist schon da; ein Archiv kommt in einen neuen Ordner</translation>
    </message>
    <message>
        <source>%1: more than %2 parameters</source>
        <translation>%1: mehr als %2 Parameter</translation>
    </message>
    <message>
        <source>%1: no archive can be made in it</source>
        <translation>%1: darin kann kein Archiv angelegt werden</translation>
    </message>
    <message>
        <source>&apos;%1&apos; cannot be computed</source>
        <translation>„%1“ lässt sich nicht berechnen</translation>
    </message>
    <message>
        <source>; the busiest device has %1 units of work, and an interval of %2 is asked for</source>
        <translation>; das Gerät mit der meisten Arbeit hat %1 Einheiten, und gefordert ist ein Intervall von %2</translation>
    </message>
    <message>
        <source>a layout has one L, the output layer, or one for each m and one more, and ends with it; this one has %1 L and %2 m</source>
        <translation>ein Layout hat ein L, die Ausgabeschicht, oder eines für jedes m und eines mehr, und endet damit; dieses hat %1 L und %2 m</translation>
    </message>
    <message>
        <source>a line begins with family, title, summary, citation, parameter, require, define, placement, route, segments, order, when ready or block</source>
        <translation>eine Zeile beginnt mit family, title, summary, citation, parameter, require, define, placement, route, segments, order, when ready oder block</translation>
    </message>
    <message>
        <source>a rule begins with F, B, W or BW, not %1</source>
        <translation>eine Regel beginnt mit F, B, W oder BW, nicht mit %1</translation>
    </message>
    <message>
        <source>done counts F, B, W or BW, not %1</source>
        <translation>done zählt F, B, W oder BW, nicht %1</translation>
    </message>
    <message>
        <source>more than %1 families of one&apos;s own</source>
        <translation>mehr als %1 eigene Familien</translation>
    </message>
    <message>
        <source>more than %1 rules</source>
        <translation>mehr als %1 Regeln</translation>
    </message>
    <message>
        <source>no block meets the goals of the level%1</source>
        <translation>kein Baustein erfüllt die Ziele des Levels%1</translation>
    </message>
    <message>
        <source>nothing goes on: on device %1 no rule takes %2, which is ready</source>
        <translation>nichts geht weiter: Auf Gerät %1 nimmt keine Regel %2, obwohl das bereit ist</translation>
    </message>
    <message>
        <source>route is for two placements, and there is one</source>
        <translation>route ist für zwei Platzierungen, und es gibt eine</translation>
    </message>
    <message>
        <source>route is of one argument, the micro-batch</source>
        <translation>route hat ein Argument, den Micro-Batch</translation>
    </message>
    <message>
        <source>stage %1 has E, which belongs to the first stage</source>
        <translation>Stufe %1 hat E, das zur ersten Stufe gehört</translation>
    </message>
    <message>
        <source>stage %1 has L before the m of stage %2</source>
        <translation>Stufe %1 hat L vor dem m von Stufe %2</translation>
    </message>
    <message>
        <source>stage %1 has L, and a later stage has t</source>
        <translation>Stufe %1 hat L, und eine spätere Stufe hat t</translation>
    </message>
    <message>
        <source>stages %1 and %2 have m, and a stage between them has none</source>
        <translation>die Stufen %1 und %2 haben m, und eine Stufe dazwischen hat keines</translation>
    </message>
    <message>
        <source>the array %1 has no element yet</source>
        <translation>das Feld %1 hat noch kein Element</translation>
    </message>
    <message>
        <source>the file has no order and no block</source>
        <translation>die Datei hat keine Reihenfolge und keinen Baustein</translation>
    </message>
    <message>
        <source>the layout has %1 L; one for all losses, or with %2 m one for each and one for the main model</source>
        <translation>das Layout hat %1 L; eines für alle Verluste, oder bei %2 m eines für jedes und eines für das Hauptmodell</translation>
    </message>
    <message>
        <source>the layout has %1 behind %2; they come in the order E, t, m, L</source>
        <translation>das Layout hat %1 hinter %2; sie kommen in der Reihenfolge E, t, m, L</translation>
    </message>
    <message>
        <source>the place in the array %1 is %2; 0 to %3</source>
        <translation>die Stelle im Feld %1 ist %2; 0 bis %3</translation>
    </message>
    <message>
        <source>the route of micro-batch %1 is %2; 0 or 1</source>
        <translation>die Route von Micro-Batch %1 ist %2; 0 oder 1</translation>
    </message>
    <message>
        <source>the search for the curve ended unfinished after %1 choices</source>
        <translation>die Suche nach der Kurve endete unfertig nach %1 Möglichkeiten</translation>
    </message>
    <message>
        <source>the size of an array is %1; 0 to %2 for all arrays together</source>
        <translation>die Größe eines Feldes ist %1; 0 bis %2 für alle Felder zusammen</translation>
    </message>
    <message>
        <source>this Pipewright was built without the library of OTF2; with libopen-trace-format2-dev installed, a build has it</source>
        <translation>Dieses Pipewright wurde ohne die Bibliothek von OTF2 gebaut; ist libopen-trace-format2-dev installiert, hat ein Bau sie</translation>
    </message>
    <message>
        <source>two placements need a line route(j) = …, the route of a micro-batch</source>
        <translation>zwei Platzierungen brauchen eine Zeile route(j) = …, die Route eines Micro-Batches</translation>
    </message>
    <message>
        <source>when ready has either BW, or B and W</source>
        <translation>when ready hat entweder BW, oder B und W</translation>
    </message>
    <message>
        <source>when ready has no rule</source>
        <translation>when ready hat keine Regel</translation>
    </message>
    <message>
        <source>%1 is of levels of choices with equal times only</source>
        <translation>%1 gibt es nur in Levels mit Auswahl und gleichen Zeiten</translation>
    </message>
    <message>
        <source>device %1 needs more than the limit in any case</source>
        <translation>Gerät %1 braucht in jedem Fall mehr als die Grenze</translation>
    </message>
    <message>
        <source>every device has %1 stages, and the log tells what they take together: a trace of the profiler tells them apart</source>
        <translation>jedes Gerät hat %1 Stufen, und das Protokoll sagt, was sie zusammen brauchen: eine Aufzeichnung des Profilers unterscheidet sie</translation>
    </message>
    <message>
        <source>how many bytes a stage keeps is not known, so copies to the host take no time that could be told</source>
        <translation>wie viele Bytes eine Stufe behält, ist nicht bekannt; was Kopien zum Host dauern, lässt sich darum nicht sagen</translation>
    </message>
    <message>
        <source>no device can hold less</source>
        <translation>kein Gerät kann weniger halten</translation>
    </message>
    <message>
        <source>the log does not tell how long each stage computes, so nothing is known of other orders: Megatron tells it with --timing-log-level 2 and --timing-log-option all, and a trace of the profiler tells more</source>
        <translation>das Protokoll sagt nicht, wie lange jede Stufe rechnet; von anderen Reihenfolgen ist darum nichts bekannt: Megatron sagt es mit --timing-log-level 2 und --timing-log-option all, und eine Aufzeichnung des Profilers sagt mehr</translation>
    </message>
    <message>
        <source>the log does not tell how many micro-batches a step has, so no order can be made of its times</source>
        <translation>das Protokoll sagt nicht, wie viele Mikro-Batches ein Schritt hat; aus seinen Zeiten lässt sich darum keine Reihenfolge machen</translation>
    </message>
    <message>
        <source>the log does not tell how many stages there are, so no order can be made of its times</source>
        <translation>das Protokoll sagt nicht, wie viele Stufen es gibt; aus seinen Zeiten lässt sich darum keine Reihenfolge machen</translation>
    </message>
    <message>
        <source>the log has no iteration with its time</source>
        <translation>das Protokoll hat keine Iteration mit ihrer Zeit</translation>
    </message>
    <message>
        <source>the log is of a training on one stage: there is no pipeline that could be changed</source>
        <translation>das Protokoll ist von einem Training auf einer Stufe: es gibt keine Pipeline, die sich ändern ließe</translation>
    </message>
    <message>
        <source>the schedule does not recompute</source>
        <translation>der Ablaufplan berechnet nichts neu</translation>
    </message>
    <message>
        <source>there is no stage %1; stages are 0 to %2</source>
        <translation>es gibt keine Stufe %1; Stufen sind 0 bis %2</translation>
    </message>
    <message>
        <source>there is no such stage; stages are 0 to %1</source>
        <translation>eine solche Stufe gibt es nicht; Stufen sind 0 bis %1</translation>
    </message>
    <message>
        <source>%1 and a better order, %2</source>
        <translation>%1 und eine bessere Reihenfolge, %2</translation>
    </message>
    <message>
        <source>%1 change left out, since a device would need more than the limit</source>
        <translation>%1 Änderung ausgelassen, da ein Gerät mehr als die Grenze brauchte</translation>
    </message>
    <message>
        <source>%1 changes left out, since a device would need more than the limit</source>
        <translation>%1 Änderungen ausgelassen, da ein Gerät mehr als die Grenze brauchte</translation>
    </message>
    <message>
        <source>%1 less</source>
        <translation>%1 weniger</translation>
    </message>
    <message>
        <source>%1 more</source>
        <translation>%1 mehr</translation>
    </message>
    <message>
        <source>%1 of %2 samples</source>
        <translation>%1 zu %2 Beispielen</translation>
    </message>
    <message>
        <source>%1 of stage %2 takes %3 where %4 were promised</source>
        <translation>%1 der Stufe %2 dauert %3, versprochen waren %4</translation>
    </message>
    <message>
        <source>%1 rank</source>
        <translation>%1 Rang</translation>
    </message>
    <message>
        <source>%1 ranks</source>
        <translation>%1 Ränge</translation>
    </message>
    <message>
        <source>%1, layers %2</source>
        <translation>%1, Schichten %2</translation>
    </message>
    <message>
        <source>A better order, %1</source>
        <translation>Eine bessere Reihenfolge, %1</translation>
    </message>
    <message>
        <source>Backwards take %1 times as long as forwards: where they compute these again, doing without may gain something</source>
        <translation>Backwards dauern %1-mal so lange wie Forwards: Wenn sie diese neu berechnen, kann der Verzicht darauf etwas bringen</translation>
    </message>
    <message>
        <source>How many layers each of the %1 stages has is not known, so no layers are moved, which is often the largest gain for the least work</source>
        <translation>Wie viele Schichten jede der %1 Stufen hat, ist nicht bekannt; daher werden keine verschoben, was oft am meisten bringt und am wenigsten Arbeit macht</translation>
    </message>
    <message>
        <source>How many layers the %1 stage has is not known</source>
        <translation>Wie viele Schichten die %1 Stufe hat, ist nicht bekannt</translation>
    </message>
    <message>
        <source>It is a log: passes of a stage count as alike, and what messages take is not known</source>
        <translation>Es ist ein Protokoll: Durchläufe einer Stufe gelten als gleich lang, und was Nachrichten brauchen, ist nicht bekannt</translation>
    </message>
    <message>
        <source>Layers %1</source>
        <translation>Schichten %1</translation>
    </message>
    <message>
        <source>Links without delay</source>
        <translation>Verbindungen ohne Verzögerung</translation>
    </message>
    <message>
        <source>No %1: %2</source>
        <translation>Keine %1: %2</translation>
    </message>
    <message>
        <source>No family makes exactly this order, so it has no other number of micro-batches</source>
        <translation>Keine Familie erzeugt genau diese Reihenfolge; daher gibt es sie mit keiner anderen Zahl von Micro-Batches</translation>
    </message>
    <message>
        <source>No layers are moved: %1</source>
        <translation>Es werden keine Schichten verschoben: %1</translation>
    </message>
    <message>
        <source>No layers are moved: the model lies in the pipeline %1 times, and a layer would have to move in all of them</source>
        <translation>Es werden keine Schichten verschoben: Das Modell liegt %1-mal in der Pipeline, und eine Schicht müsste in allen verschoben werden</translation>
    </message>
    <message>
        <source>No recomputation</source>
        <translation>Ohne Neuberechnung</translation>
    </message>
    <message>
        <source>No recomputation of %1</source>
        <translation>Keine Neuberechnung: %1</translation>
    </message>
    <message>
        <source>Nothing between passes</source>
        <translation>Nichts zwischen den Durchläufen</translation>
    </message>
    <message>
        <source>Offloading %1</source>
        <translation>Auslagern: %1</translation>
    </message>
    <message>
        <source>Orders above %1 passes are not searched, and this one has %2: no best split, no other family and no better order was looked for</source>
        <translation>Reihenfolgen mit mehr als %1 Durchläufen werden nicht durchsucht, und diese hat %2: Weder die beste Aufteilung noch eine andere Familie noch eine bessere Reihenfolge wurde gesucht</translation>
    </message>
    <message>
        <source>Recomputing %1</source>
        <translation>Neuberechnung: %1</translation>
    </message>
    <message>
        <source>The log tells the least and the most over all ranks: the most counts as the last stage&apos;s, and as another&apos;s in the intervals</source>
        <translation>Das Protokoll nennt das Kleinste und das Größte aller Ränge: Das Größte gilt als das der letzten Stufe, in den Spannen auch als das einer anderen</translation>
    </message>
    <message>
        <source>What ranks hold at their peak is not known, so the limit leaves nothing out</source>
        <translation>Was Ränge höchstens halten, ist nicht bekannt; daher lässt die Grenze nichts aus</translation>
    </message>
    <message>
        <source>an upper bound</source>
        <translation>eine obere Grenze</translation>
    </message>
    <message>
        <source>as many ranks and micro-batches, and passes that take together what was promised, up to %1 %</source>
        <translation>gleich viele Ränge und Micro-Batches, und die Durchläufe dauern zusammen so lange wie versprochen, auf %1 % genau</translation>
    </message>
    <message>
        <source>at most %1 % above the best</source>
        <translation>höchstens %1 % über der besten</translation>
    </message>
    <message>
        <source>copy activations to the host&apos;s memory after the forward, and back before the backward, of %1</source>
        <translation>Aktivierungen nach dem Forward in den Speicher des Hosts kopieren und vor dem Backward zurück: %1</translation>
    </message>
    <message>
        <source>cut sequences into %1 segment</source>
        <translation>Sequenzen in %1 Segment schneiden</translation>
    </message>
    <message>
        <source>cut sequences into %1 segments</source>
        <translation>Sequenzen in %1 Segmente schneiden</translation>
    </message>
    <message>
        <source>cut the model into %1 stage</source>
        <translation>das Modell in %1 Stufe schneiden</translation>
    </message>
    <message>
        <source>cut the model into %1 stages</source>
        <translation>das Modell in %1 Stufen schneiden</translation>
    </message>
    <message>
        <source>every stage</source>
        <translation>alle Stufen</translation>
    </message>
    <message>
        <source>give the stages %1 layers in your configuration</source>
        <translation>den Stufen in der Konfiguration %1 Schichten geben</translation>
    </message>
    <message>
        <source>load the schedule file</source>
        <translation>die Datei mit dem Ablaufplan laden</translation>
    </message>
    <message>
        <source>no recomputation of %1</source>
        <translation>keine Neuberechnung: %1</translation>
    </message>
    <message>
        <source>not worth it</source>
        <translation>lohnt nicht</translation>
    </message>
    <message>
        <source>of %1 against the promise: passes %2, messages and what lies between passes %3, the rest %4</source>
        <translation>%1 gegenüber dem Versprechen: Durchläufe %2, Nachrichten und was zwischen Durchläufen liegt %3, der Rest %4</translation>
    </message>
    <message>
        <source>offloading %1</source>
        <translation>Auslagern: %1</translation>
    </message>
    <message>
        <source>proven best</source>
        <translation>nachweislich die beste</translation>
    </message>
    <message>
        <source>rank %1 works %2 times as long as the median rank, and the others wait for it</source>
        <translation>Rang %1 arbeitet %2-mal so lange wie der mittlere Rang, und die anderen warten auf ihn</translation>
    </message>
    <message>
        <source>recomputing %1</source>
        <translation>Neuberechnung: %1</translation>
    </message>
    <message>
        <source>set the number of micro-batches</source>
        <translation>die Zahl der Micro-Batches einstellen</translation>
    </message>
    <message>
        <source>switch recomputation of activations off</source>
        <translation>die Neuberechnung von Aktivierungen ausschalten</translation>
    </message>
    <message>
        <source>switch recomputation of activations off for %1</source>
        <translation>die Neuberechnung von Aktivierungen ausschalten: %1</translation>
    </message>
    <message>
        <source>switch recomputation of activations on for %1</source>
        <translation>die Neuberechnung von Aktivierungen einschalten: %1</translation>
    </message>
    <message>
        <source>the first step is of %1, the second of %2</source>
        <translation>der erste Schritt ist von %1, der zweite von %2</translation>
    </message>
    <message>
        <source>the order keeps ranks waiting for %1 of the step: %2 fill and drain around %3</source>
        <translation>die Reihenfolge lässt Ränge %1 des Schritts warten: %2 füllen und leeren sich um %3</translation>
    </message>
    <message>
        <source>the order of the second step is none of the changes</source>
        <translation>die Reihenfolge des zweiten Schritts ist keine der Änderungen</translation>
    </message>
    <message>
        <source>the passes take together %1 than was promised: another model, batch or machine</source>
        <translation>die Durchläufe dauern zusammen %1 als versprochen: ein anderes Modell, ein anderer Batch oder eine andere Maschine</translation>
    </message>
    <message>
        <source>the second step does not have the order of that change</source>
        <translation>der zweite Schritt hat nicht die Reihenfolge dieser Änderung</translation>
    </message>
    <message>
        <source>the second step has the order and the passes of the first: nothing was changed</source>
        <translation>der zweite Schritt hat die Reihenfolge und die Durchläufe des ersten: Es wurde nichts geändert</translation>
    </message>
    <message>
        <source>the second step has the order of the first, its passes differ by %1 and take together %2: moved layers are recognised where it is told how many each stage had</source>
        <translation>der zweite Schritt hat die Reihenfolge des ersten, seine Durchläufe weichen um %1 ab und dauern zusammen %2: Verschobene Schichten werden erkannt, wenn gesagt ist, wie viele jede Stufe hatte</translation>
    </message>
    <message>
        <source>the second step has the order of the first, its passes differ by %1 and take together %2: none of the changes has such passes</source>
        <translation>der zweite Schritt hat die Reihenfolge des ersten, seine Durchläufe weichen um %1 ab und dauern zusammen %2: Keine der Änderungen hat solche Durchläufe</translation>
    </message>
    <message>
        <source>%1 samples are not as many each</source>
        <translation>%1 Beispiele lassen sich nicht gleich verteilen</translation>
    </message>
    <message>
        <source>they do not flush, and train with older weights</source>
        <translation>sie leeren die Pipeline nie und trainieren mit älteren Gewichten</translation>
    </message>
    <message>
        <source>%1 has an element that is not such a number</source>
        <translation>%1 hat ein Element, das keine solche Zahl ist</translation>
    </message>
    <message>
        <source>%1 has no segments</source>
        <translation>%1 hat keine Segmente</translation>
    </message>
    <message>
        <source>%1 has to name more under &apos;longer&apos; than may be mended</source>
        <translation>%1 muss unter &apos;longer&apos; mehr nennen, als behoben werden darf</translation>
    </message>
    <message>
        <source>%1 is %2; a whole number from %3 to %4</source>
        <translation>%1 ist %2; eine ganze Zahl von %3 bis %4</translation>
    </message>
    <message>
        <source>%1 is %2; order, choice, block, layers, offload or repair</source>
        <translation>%1 ist %2; order, choice, block, layers, offload oder repair</translation>
    </message>
    <message>
        <source>%1 is %2; place, move, remove, clear, finish, reorder, family, shift, interval, stamp, layer or toggle</source>
        <translation>%1 ist %2; place, move, remove, clear, finish, reorder, family, shift, interval, stamp, layer oder toggle</translation>
    </message>
    <message>
        <source>%1 is 0, or the level has segments: layers cannot be told apart</source>
        <translation>%1 ist 0, oder der Level hat Segmente: Schichten sind nicht zu unterscheiden</translation>
    </message>
    <message>
        <source>%1 is damaged: the passes of step %2 of run %3 are not there, or not whole</source>
        <translation>%1 ist beschädigt: Die Durchläufe von Schritt %2 des Laufs %3 fehlen oder sind nicht vollständig</translation>
    </message>
    <message>
        <source>%1 is not a choice: a family, numbers of micro-batches, and options as chunks=2</source>
        <translation>%1 ist keine Auswahl: eine Familie, Zahlen von Micro-Batches, und Optionen wie chunks=2</translation>
    </message>
    <message>
        <source>%1 is not a goal: a name, and a number where it has one</source>
        <translation>%1 ist kein Ziel: ein Name, und eine Zahl, wo er eine hat</translation>
    </message>
    <message>
        <source>%1 less throughput than usual: %2 beside %3</source>
        <translation>%1 weniger Durchsatz als üblich: %2 gegenüber %3</translation>
    </message>
    <message>
        <source>%1 longer than usual: %2 beside %3</source>
        <translation>%1 länger als üblich: %2 gegenüber %3</translation>
    </message>
    <message>
        <source>%1 makes a pass longer twice</source>
        <translation>%1 macht einen Durchlauf zweimal länger</translation>
    </message>
    <message>
        <source>%1 may be mended here; take one back first</source>
        <translation>Hier darf %1 behoben werden; nimm zuerst eine Reparatur zurück</translation>
    </message>
    <message>
        <source>%1 more memory than usual: %2 beside %3</source>
        <translation>%1 mehr Speicher als üblich: %2 gegenüber %3</translation>
    </message>
    <message>
        <source>%1 times as long as usual: %2 beside %3</source>
        <translation>%1-mal so lang wie üblich: %2 gegenüber %3</translation>
    </message>
    <message>
        <source>%1, a phase: %2 (medians)</source>
        <translation>%1, eine Phase: %2 (Mediane)</translation>
    </message>
    <message>
        <source>%1, at the most: %2</source>
        <translation>%1, höchstens: %2</translation>
    </message>
    <message>
        <source>%1, warm-up: %2</source>
        <translation>%1, Aufwärmen: %2</translation>
    </message>
    <message>
        <source>The order of the passes has changed; it is locked here.</source>
        <translation>Die Reihenfolge der Durchläufe hat sich geändert; hier ist sie fest.</translation>
    </message>
    <message>
        <source>a layer moves from one stage to another; stages are 0 to %1</source>
        <translation>eine Schicht wandert von einer Stufe zu einer anderen; es gibt die Stufen 0 bis %1</translation>
    </message>
    <message>
        <source>a level of this kind begins with what its file says</source>
        <translation>ein Level dieser Art beginnt mit dem, was seine Datei sagt</translation>
    </message>
    <message>
        <source>a loss that jumps: %1 beside %2</source>
        <translation>ein Verlust, der springt: %1 gegenüber %2</translation>
    </message>
    <message>
        <source>all orders are gone through only of one route, whole sequences and one step without updates</source>
        <translation>alle Reihenfolgen werden nur bei einem Weg, ganzen Sequenzen und einem Schritt ohne Updates durchgegangen</translation>
    </message>
    <message>
        <source>every %1 iterations, %2 times from %3 to %4: %5</source>
        <translation>alle %1 Iterationen, %2-mal von %3 bis %4: %5</translation>
    </message>
    <message>
        <source>every %1 iterations, %2 times from %3 to %4: %5; checkpoints, evaluation and garbage collection recur like that</source>
        <translation>alle %1 Iterationen, %2-mal von %3 bis %4: %5; so kehren Sicherungen, Auswertungen und Speicherbereinigung wieder</translation>
    </message>
    <message>
        <source>iteration %1</source>
        <translation>Iteration %1</translation>
    </message>
    <message>
        <source>iterations %1 to %2</source>
        <translation>Iterationen %1 bis %2</translation>
    </message>
    <message>
        <source>no row of the table is of %1</source>
        <translation>keine Zeile der Tabelle ist von %1</translation>
    </message>
    <message>
        <source>none of the level&apos;s schedules is chosen</source>
        <translation>keiner der Pläne des Levels ist gewählt</translation>
    </message>
    <message>
        <source>nothing is said of single passes in this level</source>
        <translation>in diesem Level wird nichts von einzelnen Durchläufen gesagt</translation>
    </message>
    <message>
        <source>stage %1 has one layer only, and keeps it</source>
        <translation>Stufe %1 hat nur eine Schicht, und behält sie</translation>
    </message>
    <message>
        <source>step %1 has no level</source>
        <translation>Schritt %1 hat keinen Level</translation>
    </message>
    <message>
        <source>the %1 has no products in %2; it has %3</source>
        <translation>%1 hat keine Produkte in %2; vorhanden sind %3</translation>
    </message>
    <message>
        <source>the question %1 needs its own line, an answer behind &apos;+&apos;, others behind &apos;-&apos;, and a reason behind &apos;=&apos;</source>
        <translation>die Frage %1 braucht eine eigene Zeile, eine Antwort hinter &apos;+&apos;, andere hinter &apos;-&apos;, und eine Begründung hinter &apos;=&apos;</translation>
    </message>
    <message>
        <source>the times of the passes are those of no layers</source>
        <translation>die Zeiten der Durchläufe sind die von keinen Schichten</translation>
    </message>
    <message>
        <source>the times of the passes have changed; they are locked here</source>
        <translation>die Zeiten der Durchläufe haben sich geändert; hier sind sie fest</translation>
    </message>
    <message>
        <source>there are more than %1 ways to solve it</source>
        <translation>es gibt mehr als %1 Lösungswege</translation>
    </message>
    <message>
        <source>there is no precision %1; there are %2</source>
        <translation>die Genauigkeit %1 gibt es nicht; es gibt %2</translation>
    </message>
    <message>
        <source>this pass takes as long as others of its kind: there is nothing to mend</source>
        <translation>dieser Durchlauf dauert so lange wie andere seiner Art: Es gibt nichts zu beheben</translation>
    </message>
    <message>
        <source>times not fitted for %1 in %2, a ranking: 9 of 10 measured ones may lie within −%3 and +%4 %</source>
        <translation>Zeiten für %1 in %2 nicht angepasst, eine Rangfolge: 9 von 10 gemessenen liegen vielleicht zwischen −%3 und +%4 %</translation>
    </message>
    <message>
        <source>line %1: it has %2 cells, the first line has %3</source>
        <translation>Zeile %1: Sie hat %2 Zellen, die erste Zeile hat %3</translation>
    </message>
    <message>
        <source>line %1: rank %2 stands twice</source>
        <translation>Zeile %1: Rang %2 steht zweimal da</translation>
    </message>
    <message>
        <source>line %1: rank is %2; a whole number from 0 to %3</source>
        <translation>Zeile %1: rank ist %2; möglich ist eine ganze Zahl von 0 bis %3</translation>
    </message>
    <message>
        <source>line %1: the peak is %2; a number above 0, at most 10^15 B</source>
        <translation>Zeile %1: Die Spitze ist %2; möglich ist eine Zahl über 0, höchstens 10^15 B</translation>
    </message>
    <message>
        <source>there is no line of rank %1</source>
        <translation>es gibt keine Zeile des Rangs %1</translation>
    </message>
    <message>
        <source>%1 are longer than the others on every stage, up to %2: sequences of uneven length; %3</source>
        <translation>%1 sind auf jeder Stufe länger als die anderen, bis zu %2: Sequenzen ungleicher Länge; %3</translation>
    </message>
    <message>
        <source>%1 computes slowly: its passes take %2 as long as those of its replicas, F %3 and backward %4; %5</source>
        <translation>%1 rechnet langsam: die Durchläufe dauern %2 so lang wie die der Replikate, F %3 und rückwärts %4; %5</translation>
    </message>
    <message>
        <source>%1 has changed since its digest was made; pipewright reduce makes it anew</source>
        <translation>%1 hat sich geändert, seit der Auszug gemacht wurde; pipewright reduce macht ihn neu</translation>
    </message>
    <message>
        <source>%1 has nothing of rank %2</source>
        <translation>%1 hat nichts von Rang %2</translation>
    </message>
    <message>
        <source>%1 is a trace and no schedule: import, whatif and costs fit read it</source>
        <translation>%1 ist ein Trace und kein Ablaufplan: import, whatif und costs fit lesen ihn</translation>
    </message>
    <message>
        <source>%1 is longer than the others on every stage, up to %2: sequences of uneven length; %3</source>
        <translation>%1 ist auf jeder Stufe länger als die anderen, bis zu %2: Sequenzen ungleicher Länge; %3</translation>
    </message>
    <message>
        <source>%1 is no act; place 0 F0 at 2, move 0 3 1, remove 0 3, shift 1:B0.1 -2, interval 6, layer 0 1, toggle 0 F3, clear, or JSON</source>
        <translation>%1 ist keine Handlung; place 0 F0 at 2, move 0 3 1, remove 0 3, shift 1:B0.1 -2, interval 6, layer 0 1, toggle 0 F3, clear oder JSON</translation>
    </message>
    <message>
        <source>%1 is not there any more: it was moved or deleted</source>
        <translation>%1 ist nicht mehr da: verschoben oder gelöscht</translation>
    </message>
    <message>
        <source>%1 says of no pass that it is of iteration %2</source>
        <translation>%1 sagt von keinem Durchlauf, dass er zu Iteration %2 gehört</translation>
    </message>
    <message>
        <source>a request for slices is one object</source>
        <translation>eine Anfrage nach Abschnitten ist ein Objekt</translation>
    </message>
    <message>
        <source>hidden by other causes; without these it takes %1 of the step</source>
        <translation>verdeckt von anderen Ursachen; ohne diese kostet es %1 des Schritts</translation>
    </message>
    <message>
        <source>messages between %1 take %2 where those of the other links take %3; %4</source>
        <translation>Nachrichten zwischen %1 dauern %2, die der anderen Verbindungen %3; %4</translation>
    </message>
    <message>
        <source>no folder can be made among the temporary files: %1</source>
        <translation>bei den temporären Dateien kann kein Ordner angelegt werden: %1</translation>
    </message>
    <message>
        <source>nothing is free in this level</source>
        <translation>in diesem Level ist nichts frei</translation>
    </message>
    <message>
        <source>ranks %1 and %2, which share its tensors</source>
        <translation>Ränge %1 und %2, die ihre Tensoren teilen</translation>
    </message>
    <message>
        <source>ranks %1 to %2, which share its tensors</source>
        <translation>Ränge %1 bis %2, die ihre Tensoren teilen</translation>
    </message>
    <message>
        <source>stage %1 has more work than the others: %2 the median stage&apos;s, in every replica; %3</source>
        <translation>Stufe %1 hat mehr Arbeit als die anderen: %2 die der mittleren Stufe, in jedem Replikat; %3</translation>
    </message>
    <message>
        <source>this is a trace and no schedule: import, whatif and costs fit read it</source>
        <translation>das ist eine Aufzeichnung und kein Ablaufplan: import, whatif und costs fit lesen sie</translation>
    </message>
    <message>
        <source>what came is not all of the slices</source>
        <translation>was ankam, sind nicht alle Abschnitte</translation>
    </message>
    <message>
        <source>what was done to the block is no list of shifts</source>
        <translation>was mit dem Baustein getan wurde, ist keine Liste von Verschiebungen</translation>
    </message>
    <message>
        <source>with work of the mean the step would be %1 shorter</source>
        <translation>mit mittlerer Arbeit wäre der Schritt %1 kürzer</translation>
    </message>
    <message>
        <source>without it the step would be %1 shorter</source>
        <translation>ohne das wäre der Schritt %1 kürzer</translation>
    </message>
    <message>
        <source>%1 of %2 is queued behind %3 in the same communicator</source>
        <translation>%1 von %2 wartet im selben Kommunikator hinter %3</translation>
    </message>
    <message>
        <source>a third &apos;placement&apos; line; there are two routes at most</source>
        <translation>eine dritte Zeile &apos;placement&apos;; es gibt höchstens zwei Routen</translation>
    </message>
    <message>
        <source>duplicate &apos;%1&apos; line</source>
        <translation>zweite Zeile &apos;%1&apos;</translation>
    </message>
    <message>
        <source>line %1: the column %2 appears twice</source>
        <translation>Zeile %1: die Spalte %2 kommt zweimal vor</translation>
    </message>
    <message>
        <source>the file ends before the end of the %1</source>
        <translation>die Datei endet vor dem Ende von %1</translation>
    </message>
    <message>
        <source>the table appears %1 times; only the first copy is read</source>
        <translation>die Tabelle kommt %1-mal vor; nur die erste wird gelesen</translation>
    </message>
    <message>
        <source>unexpected %1 after a complete expression</source>
        <translation>%1 nach einem ganzen Ausdruck</translation>
    </message>
    <message>
        <source>%1 is no trace that a digest is made of</source>
        <translation>%1 ist keine Aufzeichnung, von der ein Auszug gemacht wird</translation>
    </message>
    <message>
        <source>no order was found that stays within the memory, and the one given never ends: %1</source>
        <translation>keine Reihenfolge bleibt im Speicher, und die gegebene endet nie: %1</translation>
    </message>
    <message>
        <source>%1 has more work than the others, or its rank computes slowly: %2 the median stage&apos;s, and one replica does not tell which; %3</source>
        <translation>%1 hat mehr Arbeit als die anderen, oder ihr Rang rechnet langsam: %2 die der mittleren Stufe, und ein Replikat sagt nicht, welches von beidem; %3</translation>
    </message>
    <message>
        <source>iteration %1, warm-up or a slow step: its passes take %2 as long as those of iteration %3; two steps do not tell which is usual</source>
        <translation>Iteration %1, Anlaufen oder ein langsamer Schritt: ihre Durchläufe brauchen %2 so lange wie die der Iteration %3; zwei Schritte sagen nicht, welcher der übliche ist</translation>
    </message>
    <message>
        <source>iteration %1: its passes take %2 as long as those of iteration %3; two steps do not tell which is usual</source>
        <translation>Iteration %1: ihre Durchläufe brauchen %2 so lange wie die der Iteration %3; zwei Schritte sagen nicht, welcher der übliche ist</translation>
    </message>
    <message>
        <source>%1 has no rules of a reading</source>
        <translation>%1 hat keine Regeln, nach denen gelesen wird</translation>
    </message>
    <message>
        <source>rules of a reading are one object</source>
        <translation>Regeln, nach denen gelesen wird, sind ein Objekt</translation>
    </message>
    <message>
        <source>the rules that %1 is read by have %2 bytes; in a digest they can have %3</source>
        <translation>die Regeln, nach denen %1 gelesen wird, haben %2 Bytes; in einem Digest können sie %3 haben</translation>
    </message>
    <message>
        <source>rules of a reading are one or more</source>
        <translation>Regeln, nach denen gelesen wird, sind eine oder mehr</translation>
    </message>
    <message>
        <source>there is no family &apos;%1&apos;; several have spaces between: %2</source>
        <translation>es gibt keine Familie „%1“; zwischen mehreren stehen Leerzeichen: %2</translation>
    </message>
</context>
<context>
    <name>ShownStep</name>
    <message>
        <source>%1 alike, within %2: %3     shown: replica %4, %5</source>
        <translation>%1 gleich, innerhalb von %2: %3     gezeigt: Replikat %4, %5</translation>
    </message>
    <message>
        <source>Replica %1 differs: %2</source>
        <translation>Replikat %1 weicht ab: %2</translation>
    </message>
    <message>
        <source>Replica %1: %2</source>
        <translation>Replikat %1: %2</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source>device %1</source>
        <translation>Gerät %1</translation>
    </message>
    <message>
        <source>rank %1</source>
        <translation>Rang %1</translation>
    </message>
</context>
<context>
    <name>SpecPanel</name>
    <message>
        <source>from %1</source>
        <translation>ab %1</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>%1; %2</source>
        <translation>%1; %2</translation>
    </message>
    <message>
        <source>%1. Not given: %2</source>
        <translation>%1. Ohne Angabe: %2</translation>
    </message>
    <message>
        <source>by rule</source>
        <translation>nach Regel</translation>
    </message>
    <message>
        <source>segment lengths are whole numbers from 1 with commas between, not “%1”</source>
        <translation>Segmentlängen sind ganze Zahlen ab 1 mit Kommas dazwischen, nicht „%1“</translation>
    </message>
    <message>
        <source>device %1: stages %2</source>
        <translation>Gerät %1: Stufen %2</translation>
    </message>
    <message>
        <source>linear, reversed, looped N, V, zigzag N, or the device of each stage; a second route behind a semicolon</source>
        <translation>linear, reversed, looped N, V, zigzag N oder das Gerät jeder Stufe; eine zweite Route hinter einem Semikolon</translation>
    </message>
    <message>
        <source>a memory limit is a number of GiB up to %1, or one for each device with commas between; not “%2”</source>
        <translation>eine Speichergrenze ist eine Zahl von GiB bis %1, oder eine je Gerät mit Kommas dazwischen; nicht „%2“</translation>
    </message>
    <message>
        <source>%1 are given for %2</source>
        <translation>%1 sind angegeben für %2</translation>
    </message>
    <message>
        <source>Of a device&apos;s share of the model</source>
        <translation>Vom Modellanteil eines Geräts</translation>
    </message>
    <message>
        <source>Equal stages</source>
        <translation>Gleiche Stufen</translation>
    </message>
    <message>
        <source>Stage table, %1 × %2</source>
        <translation>Stufentabelle, %1 × %2</translation>
    </message>
    <message>
        <source>Stage table, %1</source>
        <translation>Stufentabelle, %1</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 GB/s</source>
        <translation>%1 GB/s</translation>
    </message>
    <message>
        <source>up to %1× slower, %2</source>
        <translation>bis zu %1× langsamer, %2</translation>
    </message>
    <message>
        <source>mb</source>
        <translation>mb</translation>
    </message>
    <message>
        <source>micro-batches</source>
        <translation>Mikro-Batches</translation>
    </message>
    <message>
        <source>a limit in micro-batches is one number for all devices, up to %1; not “%2”</source>
        <translation>eine Grenze in Mikro-Batches ist eine Zahl für alle Geräte, bis %1; nicht „%2“</translation>
    </message>
    <message>
        <source>nothing has a size in bytes here, so the limit is in micro-batches, as “4 mb”; or give activations a size first</source>
        <translation>hier hat nichts eine Größe in Bytes, also ist die Grenze in Mikro-Batches, etwa „4 mb“; oder geben Sie zuerst Aktivierungen eine Größe</translation>
    </message>
    <message>
        <source>This limits nothing: nothing has a size in bytes. Give activations a size, or a limit in micro-batches, as “4 mb”.</source>
        <translation>Das begrenzt nichts: Nichts hat eine Größe in Bytes. Geben Sie Aktivierungen eine Größe, oder eine Grenze in Mikro-Batches, etwa „4 mb“.</translation>
    </message>
</context>
<context>
    <name>StackedTimelines</name>
    <message>
        <source>Device %1 idles for %2</source>
        <translation>Gerät %1 steht %2 lang still</translation>
    </message>
    <message>
        <source>%1, %2 – %3</source>
        <translation>%1, %2 – %3</translation>
    </message>
    <message>
        <source>%1, takes %2</source>
        <translation>%1, dauert %2</translation>
    </message>
    <message>
        <source>the timeline above does not have it</source>
        <translation>fehlt in der Zeitleiste darüber</translation>
    </message>
    <message>
        <source>ends %1 against the one above</source>
        <translation>endet %1 gegenüber der oberen</translation>
    </message>
    <message>
        <source>ends %1, takes %2 against the one above</source>
        <translation>endet %1, dauert %2 gegenüber der oberen</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>Speicherspitze</translation>
    </message>
    <message>
        <source>Peak activation</source>
        <translation>Aktivierungsspitze</translation>
    </message>
    <message>
        <source>Shown</source>
        <translation>Gezeigt</translation>
    </message>
    <message>
        <source>Makespan</source>
        <translation>Gesamtdauer</translation>
    </message>
    <message>
        <source>against %1</source>
        <translation>gegenüber %1</translation>
    </message>
    <message>
        <source>Span bubble</source>
        <translation>Span-Bubble</translation>
    </message>
    <message>
        <source>Wall bubble</source>
        <translation>Wall-Bubble</translation>
    </message>
    <message>
        <source>Passes in both</source>
        <translation>Durchläufe in beiden</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Only above</source>
        <translation>Nur oben</translation>
    </message>
    <message>
        <source>reading…</source>
        <translation>wird gelesen …</translation>
    </message>
    <message>
        <source>%1 against %2</source>
        <translation>%1 gegen %2</translation>
    </message>
    <message>
        <source>%1 only here</source>
        <translation>%1 nur hier</translation>
    </message>
    <message>
        <source>%1 only above</source>
        <translation>%1 nur oben</translation>
    </message>
    <message>
        <source>Comparison</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Reading it…</source>
        <translation>Wird gelesen …</translation>
    </message>
    <message>
        <source>Selected pass</source>
        <translation>Gewählter Durchlauf</translation>
    </message>
    <message>
        <source>None. Click a pass in any of them.</source>
        <translation>Keiner. In einer der Zeitleisten einen Durchlauf anklicken.</translation>
    </message>
</context>
<context>
    <name>Startup</name>
    <message>
        <source>A project, schedule text, PyTorch&apos;s schedule CSV, or the traces of one run.</source>
        <translation>Ein Projekt, Ablaufplan-Text, die Schedule-CSV von PyTorch oder die Traces eines Laufs.</translation>
    </message>
    <message>
        <source>Makes a figure of IN, a file or a family, and ends. OUT ends in .svg, .pdf or .png. Needs no display.</source>
        <translation>Macht eine Abbildung von IN, einer Datei oder Familie, und endet. OUT endet auf .svg, .pdf oder .png. Braucht keinen Bildschirm.</translation>
    </message>
    <message>
        <source>paper (default), light or dark.</source>
        <translation>paper (Vorgabe), light oder dark.</translation>
    </message>
    <message>
        <source>Width of a figure in millimetres (default 178, two columns).</source>
        <translation>Breite einer Abbildung in Millimetern (Vorgabe 178, zwei Spalten).</translation>
    </message>
    <message>
        <source>Of a PNG (default 300).</source>
        <translation>Für PNG (Vorgabe 300).</translation>
    </message>
    <message>
        <source>With memory and bubbles below the lanes.</source>
        <translation>Mit Speicher und Bubbles unter den Spuren.</translation>
    </message>
    <message>
        <source>Colours stand for the micro-batch, not the kind.</source>
        <translation>Farben zeigen den Micro-Batch, nicht die Art.</translation>
    </message>
    <message>
        <source>Devices of a family (default 4).</source>
        <translation>Geräte einer Familie (Vorgabe 4).</translation>
    </message>
    <message>
        <source>Micro-batches of a family (default 2 P).</source>
        <translation>Micro-Batches einer Familie (Vorgabe 2 P).</translation>
    </message>
    <message>
        <source>This text as a page of the manual, in roff.</source>
        <translation>Dieser Text als Handbuchseite, in roff.</translation>
    </message>
    <message>
        <source>This text.</source>
        <translation>Dieser Text.</translation>
    </message>
    <message>
        <source>The version.</source>
        <translation>Die Version.</translation>
    </message>
    <message>
        <source>pipewright-studio: %1
Try: pipewright-studio --help</source>
        <translation>pipewright-studio: %1
Hilfe: pipewright-studio --help</translation>
    </message>
    <message>
        <source>--%1 takes a number from %2 to %3, not &quot;%4&quot;</source>
        <translation>--%1 nimmt eine Zahl von %2 bis %3, nicht &quot;%4&quot;</translation>
    </message>
    <message>
        <source>--render takes IN and OUT, %1 given</source>
        <translation>--render nimmt IN und OUT; gegeben: %1</translation>
    </message>
    <message>
        <source>the name &quot;%1&quot; tells no format; it ends in .svg, .pdf or .png</source>
        <translation>der Name &quot;%1&quot; nennt kein Format; er endet auf .svg, .pdf oder .png</translation>
    </message>
    <message>
        <source>--style takes paper, light or dark, not &quot;%1&quot;</source>
        <translation>--style nimmt paper, light oder dark, nicht &quot;%1&quot;</translation>
    </message>
    <message>
        <source>out of memory</source>
        <translation>zu wenig Speicher</translation>
    </message>
    <message>
        <source>Writes a lesson, an id or a file, as a PDF to hand out, with the solutions behind, and ends: --handout LESSON OUT.</source>
        <translation>Schreibt eine Lektion, eine Kennung oder Datei, als PDF zum Austeilen, mit den Lösungen am Ende, und endet: --handout LESSON OUT.</translation>
    </message>
    <message>
        <source>Of a handout (default en).</source>
        <translation>Für ein Arbeitsblatt (Vorgabe en).</translation>
    </message>
    <message>
        <source>Writes how IN, a file or a family, is played, and ends: --film IN OUT. OUT ends in .gif, or in .mp4 where ffmpeg is installed.</source>
        <translation>Schreibt, wie IN, eine Datei oder Familie, abgespielt wird, und endet: --film IN OUT. OUT endet auf .gif, oder auf .mp4, wo ffmpeg installiert ist.</translation>
    </message>
    <message>
        <source>--handout takes LESSON and OUT, %1 given</source>
        <translation>--handout nimmt LESSON und OUT; gegeben: %1</translation>
    </message>
    <message>
        <source>--film takes IN and OUT, %1 given</source>
        <translation>--film nimmt IN und OUT; gegeben: %1</translation>
    </message>
    <message>
        <source>--style of a film is light or dark, not &quot;%1&quot;</source>
        <translation>--style eines Films ist light oder dark, nicht &quot;%1&quot;</translation>
    </message>
    <message>
        <source>Shows by itself, in a minute, what the studio is for. Esc stops it; nothing of yours is read or changed.</source>
        <translation>Zeigt von selbst in einer Minute, wozu das Studio da ist. Esc hält an; nichts von Ihnen wird gelesen oder geändert.</translation>
    </message>
    <message>
        <source>The studio for schedules of pipeline-parallel training.

  pipewright-studio [FILE…]             opens files
  pipewright-studio --render IN OUT     makes a figure
  pipewright-studio --handout LESSON OUT
  pipewright-studio --film IN OUT
  pipewright-studio --demo              shows what it is for</source>
        <translation>Das Studio für Ablaufpläne des pipeline-parallelen Trainings.

  pipewright-studio [FILE…]             öffnet Dateien
  pipewright-studio --render IN OUT     macht ein Bild
  pipewright-studio --handout LESSON OUT
  pipewright-studio --film IN OUT
  pipewright-studio --demo              zeigt, wozu es da ist</translation>
    </message>
    <message>
        <source>--demo takes no file</source>
        <translation>--demo nimmt keine Datei</translation>
    </message>
    <message>
        <source>pipewright-studio: no folder can be made among the temporary files</source>
        <translation>pipewright-studio: unter den temporären Dateien lässt sich kein Ordner anlegen</translation>
    </message>
</context>
<context>
    <name>TimelineChart</name>
    <message>
        <source>Bubble</source>
        <translation>Bubble</translation>
    </message>
    <message>
        <source>&amp;Bubble</source>
        <translation>&amp;Bubble</translation>
    </message>
    <message>
        <source>In flight</source>
        <translation>Unterwegs</translation>
    </message>
    <message>
        <source>&amp;In flight</source>
        <translation>&amp;Unterwegs</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>Leitungen</translation>
    </message>
    <message>
        <source>&amp;Links</source>
        <translation>&amp;Leitungen</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>&amp;Memory</source>
        <translation>&amp;Speicher</translation>
    </message>
</context>
<context>
    <name>TraceDetails</name>
    <message>
        <source>launched before</source>
        <translation>gestartet vor</translation>
    </message>
    <message>
        <source>in pass</source>
        <translation>im Durchlauf</translation>
    </message>
    <message>
        <source>%1 of stage %2</source>
        <translation>%1 von Stufe %2</translation>
    </message>
    <message>
        <source>launched by</source>
        <translation>gestartet von</translation>
    </message>
    <message>
        <source>launches</source>
        <translation>startet</translation>
    </message>
    <message>
        <source>sent by</source>
        <translation>gesendet von</translation>
    </message>
    <message>
        <source>received by</source>
        <translation>empfangen von</translation>
    </message>
    <message>
        <source>backward of</source>
        <translation>Backward von</translation>
    </message>
    <message>
        <source>its backward</source>
        <translation>sein Backward</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>on</source>
        <translation>auf</translation>
    </message>
    <message>
        <source>from – to</source>
        <translation>von – bis</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>why</source>
        <translation>warum</translation>
    </message>
    <message>
        <source>for the host</source>
        <translation>für den Host</translation>
    </message>
    <message>
        <source>for a stream</source>
        <translation>für einen Stream</translation>
    </message>
    <message>
        <source>launch gap</source>
        <translation>Startlücke</translation>
    </message>
    <message>
        <source>waits for</source>
        <translation>wartet auf</translation>
    </message>
    <message>
        <source>then</source>
        <translation>dann</translation>
    </message>
    <message>
        <source>Selected</source>
        <translation>Gewählt</translation>
    </message>
    <message>
        <source>name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>self</source>
        <translation>selbst</translation>
    </message>
    <message>
        <source>waits</source>
        <translation>wartet</translation>
    </message>
    <message>
        <source>Nothing is selected: click a slice or idle time, or drag over a stretch of time.</source>
        <translation>Nichts ist gewählt: einen Abschnitt oder Leerlauf anklicken oder über einen Zeitraum ziehen.</translation>
    </message>
    <message>
        <source>Trace</source>
        <translation>Trace</translation>
    </message>
    <message>
        <source>from</source>
        <translation>ab</translation>
    </message>
    <message>
        <source>ranks</source>
        <translation>Ränge</translation>
    </message>
    <message>
        <source>events</source>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <source>span</source>
        <translation>Spanne</translation>
    </message>
    <message>
        <source>Arguments</source>
        <translation>Argumente</translation>
    </message>
    <message>
        <source>of it for a rank</source>
        <translation>davon für einen Rang</translation>
    </message>
</context>
<context>
    <name>Trouble</name>
    <message>
        <source>the host</source>
        <translation>der Host</translation>
    </message>
    <message>
        <source>The key of %1 is not known, or has changed.</source>
        <translation>Der Schlüssel von %1 ist unbekannt oder hat sich geändert.</translation>
    </message>
    <message>
        <source>Connect once with ssh in a terminal: it shows the key and asks. Where it has changed, ask who runs the machine.</source>
        <translation>Einmal im Terminal mit ssh verbinden: Es zeigt den Schlüssel und fragt. Hat er sich geändert, wer die Maschine betreibt fragen.</translation>
    </message>
    <message>
        <source>There is no host %1.</source>
        <translation>Einen Host %1 gibt es nicht.</translation>
    </message>
    <message>
        <source>Check the name, or give it an entry in ~/.ssh/config.</source>
        <translation>Den Namen prüfen oder in ~/.ssh/config eintragen.</translation>
    </message>
    <message>
        <source>%1 does not take your key.</source>
        <translation>%1 nimmt den Schlüssel nicht an.</translation>
    </message>
    <message>
        <source>The studio never asks for a password (ssh runs with BatchMode). Set a key up once: ssh-keygen, then ssh-copy-id %1; one with a pass phrase is unlocked with ssh-add.</source>
        <translation>Das Studio fragt nie nach einem Passwort (ssh läuft mit BatchMode). Einmal einen Schlüssel einrichten: ssh-keygen, dann ssh-copy-id %1; einer mit Passphrase wird mit ssh-add entsperrt.</translation>
    </message>
    <message>
        <source>%1 is there, but its ssh server does not run.</source>
        <translation>%1 ist da, aber sein ssh-Server läuft nicht.</translation>
    </message>
    <message>
        <source>Start sshd there, or give the port with -p.</source>
        <translation>Dort sshd starten oder den Port mit -p angeben.</translation>
    </message>
    <message>
        <source>%1 does not answer.</source>
        <translation>%1 antwortet nicht.</translation>
    </message>
    <message>
        <source>Check the network, a VPN or a firewall in between, and whether the machine is on.</source>
        <translation>Netz, VPN und Firewall prüfen, und ob die Maschine läuft.</translation>
    </message>
    <message>
        <source>The connection to %1 broke.</source>
        <translation>Die Verbindung zu %1 ist abgerissen.</translation>
    </message>
    <message>
        <source>What had come by then is kept. Run it again when the link is back.</source>
        <translation>Was bis dahin ankam, ist aufbewahrt. Erneut ausführen, wenn die Verbindung wieder steht.</translation>
    </message>
    <message>
        <source>ssh to %1 failed.</source>
        <translation>ssh zu %1 ist gescheitert.</translation>
    </message>
    <message>
        <source>The system kills programs when memory runs out: try a smaller model.</source>
        <translation>Das System beendet Programme, wenn der Speicher ausgeht: ein kleineres Modell versuchen.</translation>
    </message>
    <message>
        <source>The executor ended by %1.</source>
        <translation>Der Executor endete durch %1.</translation>
    </message>
    <message>
        <source>segmentation fault</source>
        <translation>Speicherzugriffsfehler</translation>
    </message>
    <message>
        <source>abort</source>
        <translation>Abbruch</translation>
    </message>
    <message>
        <source>kill</source>
        <translation>Kill</translation>
    </message>
    <message>
        <source>bus error</source>
        <translation>Busfehler</translation>
    </message>
    <message>
        <source>illegal instruction</source>
        <translation>ungültiger Befehl</translation>
    </message>
    <message>
        <source>arithmetic error</source>
        <translation>Rechenfehler</translation>
    </message>
    <message>
        <source>terminate</source>
        <translation>Beenden</translation>
    </message>
    <message>
        <source>nobody reads</source>
        <translation>niemand liest</translation>
    </message>
    <message>
        <source>hang up</source>
        <translation>Auflegen</translation>
    </message>
    <message>
        <source>interrupt</source>
        <translation>Unterbrechung</translation>
    </message>
    <message>
        <source>signal %1 (%2)</source>
        <translation>Signal %1 (%2)</translation>
    </message>
    <message>
        <source>signal %1</source>
        <translation>Signal %1</translation>
    </message>
    <message>
        <source>%1 cannot be started.</source>
        <translation>%1 lässt sich nicht starten.</translation>
    </message>
    <message>
        <source>%1 Check the command line of the connection; the whole path of the program always works.</source>
        <translation>%1 Die Befehlszeile der Verbindung prüfen; der ganze Pfad des Programms geht immer.</translation>
    </message>
    <message>
        <source>What answers there is not Pipewright.</source>
        <translation>Was dort antwortet, ist nicht Pipewright.</translation>
    </message>
    <message>
        <source>It wrote without end. The command line has to end with the pipewright program.</source>
        <translation>Es schrieb ohne Ende. Die Befehlszeile muss mit dem Programm pipewright enden.</translation>
    </message>
    <message>
        <source>No answer in time.</source>
        <translation>Keine Antwort in der Zeit.</translation>
    </message>
    <message>
        <source>Try the same command in a terminal: ssh %1</source>
        <translation>Denselben Befehl im Terminal versuchen: ssh %1</translation>
    </message>
    <message>
        <source>Try the same command in a terminal. A queue of a cluster may have no free nodes.</source>
        <translation>Denselben Befehl im Terminal versuchen. Die Warteschlange eines Clusters hat vielleicht keine freien Knoten.</translation>
    </message>
    <message>
        <source>%1 has no program pipewright on its path.</source>
        <translation>%1 hat kein Programm pipewright im Pfad.</translation>
    </message>
    <message>
        <source>There is no program pipewright where the command line looks.</source>
        <translation>Wo die Befehlszeile sucht, ist kein Programm pipewright.</translation>
    </message>
    <message>
        <source>Build it there (./run in the repository) and write its whole path into the connection.</source>
        <translation>Dort bauen (./run im Repository) und den ganzen Pfad in die Verbindung schreiben.</translation>
    </message>
    <message>
        <source>The Pipewright there does not understand this studio.</source>
        <translation>Das Pipewright dort versteht dieses Studio nicht.</translation>
    </message>
    <message>
        <source>Use the same version of Pipewright at both ends.</source>
        <translation>An beiden Enden dieselbe Version von Pipewright verwenden.</translation>
    </message>
    <message>
        <source>The program ended with exit code %1 and said nothing.</source>
        <translation>Das Programm endete mit dem Exit-Code %1 und sagte nichts.</translation>
    </message>
    <message>
        <source>Try the command line of the connection in a terminal.</source>
        <translation>Probieren Sie die Befehlszeile der Verbindung in einem Terminal aus.</translation>
    </message>
    <message>
        <source>Memory ran out there: choose a smaller model.</source>
        <translation>Dort reichte der Speicher nicht: Wählen Sie ein kleineres Modell.</translation>
    </message>
    <message>
        <source>The disk there is full.</source>
        <translation>Der Datenträger dort ist voll.</translation>
    </message>
    <message>
        <source>The program ended with exit code %1: %2</source>
        <translation>Das Programm endete mit dem Exit-Code %1: %2</translation>
    </message>
    <message>
        <source>Its time in the queue was over: ask for more.</source>
        <translation>Seine Zeit in der Warteschlange war um: mehr davon anfordern.</translation>
    </message>
    <message>
        <source>The queue gave its place to another job: run it again.</source>
        <translation>Die Warteschlange gab seinen Platz einem anderen Auftrag: noch einmal ausführen.</translation>
    </message>
    <message>
        <source>Before that: %1</source>
        <translation>Davor: %1</translation>
    </message>
</context>
<context>
    <name>ValueText</name>
    <message>
        <source>just now</source>
        <translation>eben</translation>
    </message>
    <message>
        <source>%1 min ago</source>
        <translation>vor %1 min</translation>
    </message>
    <message>
        <source>today %1</source>
        <translation>heute %1</translation>
    </message>
    <message>
        <source>yesterday %1</source>
        <translation>gestern %1</translation>
    </message>
    <message>
        <source>%1 times</source>
        <translation>%1-mal</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keiner</translation>
    </message>
</context>
<context>
    <name>pw::ui::AccountChart</name>
    <message>
        <source>Lost time</source>
        <translation>Verlorene Zeit</translation>
    </message>
    <message>
        <source>device 00</source>
        <translation>Gerät 00</translation>
    </message>
    <message>
        <source>lost %1 (%2)</source>
        <translation>verloren %1 (%2)</translation>
    </message>
    <message>
        <source>of each rank, by cause</source>
        <translation>jedes Rangs, nach Ursache</translation>
    </message>
    <message>
        <source>all ranks, %1: %2 of %3 (%4)</source>
        <translation>alle Ränge, %1: %2 von %3 (%4)</translation>
    </message>
    <message>
        <source>%1, %2: %3 of %4 (%5)</source>
        <translation>%1, %2: %3 von %4 (%5)</translation>
    </message>
    <message>
        <source>, of it guessed %1</source>
        <translation>, davon geschätzt %1</translation>
    </message>
</context>
<context>
    <name>pw::ui::ActivityPage</name>
    <message>
        <source>Summing up…</source>
        <translation>Wird summiert …</translation>
    </message>
    <message>
        <source>Paint a pass…</source>
        <translation>Durchlauf markieren…</translation>
    </message>
    <message>
        <source>Colour: kind</source>
        <translation>Farbe: Art</translation>
    </message>
    <message>
        <source>Colour: name</source>
        <translation>Farbe: Name</translation>
    </message>
    <message>
        <source>Colour: pass</source>
        <translation>Farbe: Durchlauf</translation>
    </message>
    <message>
        <source>Colour: stage</source>
        <translation>Farbe: Stufe</translation>
    </message>
    <message>
        <source>Says what pass the marked stretch is; others like it follow.</source>
        <translation>Sagt, welcher Durchlauf der markierte Zeitraum ist; ähnliche folgen.</translation>
    </message>
    <message>
        <source>Selection</source>
        <translation>Auswahl</translation>
    </message>
    <message>
        <source>Passes proposed</source>
        <translation>Vorgeschlagene Durchläufe</translation>
    </message>
    <message>
        <source>Looking for passes…</source>
        <translation>Durchläufe werden gesucht …</translation>
    </message>
    <message>
        <source>Passes proposed (%1)</source>
        <translation>Vorgeschlagene Durchläufe (%1)</translation>
    </message>
    <message>
        <source>The example is not kept: %1</source>
        <translation>Das Beispiel wird nicht behalten: %1</translation>
    </message>
    <message>
        <source>Taking proposals as passes…</source>
        <translation>Vorschläge werden übernommen …</translation>
    </message>
    <message>
        <source>No proposal is so sure.</source>
        <translation>Kein Vorschlag ist so sicher.</translation>
    </message>
    <message>
        <source>%1 passes are taken: %2.</source>
        <translation>%1 Durchläufe übernommen: %2.</translation>
    </message>
    <message>
        <source>an order of no family</source>
        <translation>eine Reihenfolge keiner Familie</translation>
    </message>
    <message>
        <source>%1 passes are taken; their order is not complete: %2.</source>
        <translation>%1 Durchläufe übernommen; ihre Reihenfolge ist unvollständig: %2.</translation>
    </message>
</context>
<context>
    <name>pw::ui::ActivityTable</name>
    <message>
        <source>%1 %2 (%3)</source>
        <translation>%1 %2 (%3)</translation>
    </message>
    <message>
        <source>no device at work %1 (%2)</source>
        <translation>kein Gerät arbeitet %1 (%2)</translation>
    </message>
    <message>
        <source>The whole, %1</source>
        <translation>Das Ganze, %1</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>, summed over %1 ranks</source>
        <translation>, summiert über %1 Ränge</translation>
    </message>
    <message>
        <source>%1: nothing ran.</source>
        <translation>%1: nichts lief.</translation>
    </message>
    <message>
        <source>%1%2: %3.</source>
        <translation>%1%2: %3.</translation>
    </message>
    <message>
        <source>Sums by name</source>
        <translation>Summen nach Namen</translation>
    </message>
    <message>
        <source>name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>count</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>self</source>
        <translation>selbst</translation>
    </message>
    <message>
        <source>total</source>
        <translation>gesamt</translation>
    </message>
    <message>
        <source>self, of the stretch</source>
        <translation>selbst, vom Zeitraum</translation>
    </message>
    <message>
        <source>%1 in the whole trace: the shortest %2, the median %3, the longest %4.</source>
        <translation>%1 im ganzen Trace: am kürzesten %2, Median %3, am längsten %4.</translation>
    </message>
    <message>
        <source>no device at work %1 (%2, of it %3 on all ranks at once)</source>
        <translation>kein Gerät arbeitet %1 (%2, davon %3 auf allen Rängen zugleich)</translation>
    </message>
</context>
<context>
    <name>pw::ui::ActivityView</name>
    <message>
        <source>%1
%2 slices</source>
        <translation>%1
%2 Abschnitte</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>%1
%2
%3 · %4</source>
        <translation>%1
%2
%3 · %4</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Activities</source>
        <translation>Aktivitäten</translation>
    </message>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
    <message>
        <source>idle %1</source>
        <translation>Leerlauf %1</translation>
    </message>
    <message>
        <source>%1
%2</source>
        <translation>%1
%2</translation>
    </message>
</context>
<context>
    <name>pw::ui::AdaptiveClient</name>
    <message>
        <source>What answers there is not Pipewright.</source>
        <translation>Was dort antwortet, ist nicht Pipewright.</translation>
    </message>
    <message>
        <source>It wrote: %1</source>
        <translation>Es schrieb: %1</translation>
    </message>
</context>
<context>
    <name>pw::ui::AdaptiveFields</name>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>&amp;Devices</source>
        <translation>&amp;Geräte</translation>
    </message>
    <message>
        <source>Stages of the pipeline.</source>
        <translation>Stufen der Pipeline.</translation>
    </message>
    <message>
        <source>Samples a step</source>
        <translation>Proben je Schritt</translation>
    </message>
    <message>
        <source>Of one optimizer step, over all micro-batches.</source>
        <translation>Eines Optimierer-Schritts, über alle Micro-Batches.</translation>
    </message>
    <message>
        <source>Samples held</source>
        <translation>Proben gehalten</translation>
    </message>
    <message>
        <source>Samples whose activations fit on a device: a larger k needs smaller micro-batches.</source>
        <translation>Proben, deren Aktivierungen auf ein Gerät passen: Ein größeres k braucht kleinere Micro-Batches.</translation>
    </message>
    <message>
        <source>Largest &amp;k</source>
        <translation>Größtes &amp;k</translation>
    </message>
    <message>
        <source>Larger ones are not tried.</source>
        <translation>Größere werden nicht versucht.</translation>
    </message>
    <message>
        <source>&amp;Iterations</source>
        <translation>&amp;Iterationen</translation>
    </message>
    <message>
        <source>Measured every</source>
        <translation>Gemessen alle</translation>
    </message>
    <message>
        <source>Iterations between two looks at the network.</source>
        <translation>Iterationen zwischen zwei Blicken auf das Netz.</translation>
    </message>
    <message>
        <source>F &amp;a sample</source>
        <translation>F &amp;je Probe</translation>
    </message>
    <message>
        <source>On one stage.</source>
        <translation>Auf einer Stufe.</translation>
    </message>
    <message>
        <source>&amp;BW a sample</source>
        <translation>B&amp;W je Probe</translation>
    </message>
    <message>
        <source>Every pass +</source>
        <translation>Jeder Durchlauf +</translation>
    </message>
    <message>
        <source>Whatever its size: launches, kernels that stay small.</source>
        <translation>Unabhängig von der Größe: Starts, Kernel, die klein bleiben.</translation>
    </message>
    <message>
        <source>Link a sample</source>
        <translation>Leitung je Probe</translation>
    </message>
    <message>
        <source>Over a link that nothing slows down.</source>
        <translation>Über eine Leitung, die nichts bremst.</translation>
    </message>
    <message>
        <source>Every message +</source>
        <translation>Jede Nachricht +</translation>
    </message>
    <message>
        <source>Whatever its size.</source>
        <translation>Unabhängig von der Größe.</translation>
    </message>
    <message>
        <source>0:1, 20:5, 60:1</source>
        <translation>0:1, 20:5, 60:1</translation>
    </message>
    <message>
        <source>&amp;Network over time</source>
        <translation>Net&amp;z im Zeitverlauf</translation>
    </message>
    <message>
        <source>0:1, 20:5 means: from 20 ms on a message takes five times as long.</source>
        <translation>0:1, 20:5 heißt: Ab 20 ms dauert eine Nachricht fünfmal so lang.</translation>
    </message>
</context>
<context>
    <name>pw::ui::AdaptivePage</name>
    <message>
        <source>Backend</source>
        <translation>Backend</translation>
    </message>
    <message>
        <source>emulated</source>
        <translation>emulated</translation>
    </message>
    <message>
        <source>cpu, tiny model</source>
        <translation>cpu, Modell tiny</translation>
    </message>
    <message>
        <source>Emulated: passes take the times above. cpu: a tiny model is trained; its passes are measured, and messages are delayed as said above.</source>
        <translation>emulated: Durchläufe dauern so lang wie oben angegeben. cpu: Ein winziges Modell wird trainiert; seine Durchläufe werden gemessen und Nachrichten verzögert wie oben angegeben.</translation>
    </message>
    <message>
        <source>each fixed k, too</source>
        <translation>auch jedes feste k</translation>
    </message>
    <message>
        <source>Runs every k over the same network, for as many iterations.</source>
        <translation>Führt jedes k ebenso lang über dasselbe Netz aus.</translation>
    </message>
    <message>
        <source>k</source>
        <translation>k</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Iterations</source>
        <translation>Iteration</translation>
    </message>
    <message>
        <source>over time</source>
        <translation>im Zeitverlauf</translation>
    </message>
    <message>
        <source>messages, × as long</source>
        <translation>mal so lang wie frei</translation>
    </message>
    <message>
        <source>ms each</source>
        <translation>jede in ms</translation>
    </message>
    <message>
        <source>Every k over the same network</source>
        <translation>Jedes k über dasselbe Netz</translation>
    </message>
    <message>
        <source>order</source>
        <translation>Reihenfolge</translation>
    </message>
    <message>
        <source>micro-batch</source>
        <translation>Micro-Batch</translation>
    </message>
    <message>
        <source>simulated</source>
        <translation>simuliert</translation>
    </message>
    <message>
        <source>over 1F1B</source>
        <translation>gegenüber 1F1B</translation>
    </message>
    <message>
        <source>run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>off</source>
        <translation>Abweichung</translation>
    </message>
    <message>
        <source>run over simulated</source>
        <translation>Lauf gegenüber simuliert</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>▶ Run</source>
        <translation>▶ Start</translation>
    </message>
    <message>
        <source>k that follows</source>
        <translation>adaptives k</translation>
    </message>
    <message>
        <source>1F1B</source>
        <translation>1F1B</translation>
    </message>
    <message>
        <source>kFkB</source>
        <translation>kFkB</translation>
    </message>
    <message>
        <source>k that follows the network</source>
        <translation>k, das dem Netz folgt</translation>
    </message>
    <message>
        <source>Simulated: %1 over 1F1B, with %2 of k.</source>
        <translation>Simuliert: %1 gegenüber 1F1B, %2 von k.</translation>
    </message>
    <message>
        <source>Simulating …</source>
        <translation>Wird simuliert …</translation>
    </message>
    <message>
        <source>Running: iteration %1 of %2.</source>
        <translation>Läuft: Iteration %1 von %2.</translation>
    </message>
    <message>
        <source>Starting …</source>
        <translation>Wird gestartet …</translation>
    </message>
    <message>
        <source>(%1)</source>
        <translation>(%1)</translation>
    </message>
    <message>
        <source>Run: %1, with %2 of k.</source>
        <translation>Lauf: %1, %2 von k.</translation>
    </message>
    <message>
        <source>Throughput %1 over 1F1B as run.</source>
        <translation>Durchsatz %1 gegenüber ausgeführtem 1F1B.</translation>
    </message>
    <message>
        <source>Adaptive k</source>
        <translation>Adaptives k</translation>
    </message>
    <message>
        <source>How it follows</source>
        <translation>Wie k dem Netz folgt</translation>
    </message>
    <message>
        <source>For each k the micro-batch is taken that is the fastest of those that fit. The tuner begins with 1F1B; every so many iterations it measures the messages, simulates each k with them, and goes on with the best.</source>
        <translation>Für jedes k wird die Micro-Batch-Größe genommen, die von den passenden die schnellste ist. Der Tuner beginnt mit 1F1B; im gewählten Abstand misst er die Nachrichten, simuliert damit jedes k und macht mit dem besten weiter.</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Loss, first and last</source>
        <translation>Loss, erster und letzter</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Run sends it to the connection that is chosen above. Messages are delayed as the network says.</source>
        <translation>„Start“ schickt es an die oben gewählte Verbindung. Nachrichten werden so verzögert, wie das Netz es sagt.</translation>
    </message>
    <message>
        <source>simulated %1     over 1F1B %2</source>
        <translation>simuliert %1     gegenüber 1F1B %2</translation>
    </message>
</context>
<context>
    <name>pw::ui::AdvicePage</name>
    <message>
        <source>a number</source>
        <translation>eine Zahl</translation>
    </message>
    <message>
        <source>a file</source>
        <translation>eine Datei</translation>
    </message>
    <message>
        <source>a cut of the model</source>
        <translation>ein Schnitt des Modells</translation>
    </message>
    <message>
        <source>change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>gain</source>
        <translation>Gewinn</translation>
    </message>
    <message>
        <source>nine times in ten</source>
        <translation>neunmal von zehn</translation>
    </message>
    <message>
        <source>fullest rank</source>
        <translation>vollster Rang</translation>
    </message>
    <message>
        <source>needs</source>
        <translation>braucht</translation>
    </message>
    <message>
        <source>Changes by their gain</source>
        <translation>Änderungen nach ihrem Gewinn</translation>
    </message>
    <message>
        <source>changed</source>
        <translation>geändert</translation>
    </message>
    <message>
        <source>Reading what there is …</source>
        <translation>Es wird gelesen, was da ist …</translation>
    </message>
    <message>
        <source>4,4,4,4 or 16</source>
        <translation>4,4,4,4 oder 16</translation>
    </message>
    <message>
        <source>Layers of every stage, or of the whole model, spread evenly: with them layers are moved between stages, too.</source>
        <translation>Schichten jeder Stufe, oder des ganzen Modells, gleichmäßig verteilt: damit werden auch Schichten zwischen Stufen verschoben.</translation>
    </message>
    <message>
        <source>no run yet</source>
        <translation>noch kein Lauf</translation>
    </message>
    <message>
        <source>A run of the changed training: did the promise hold?</source>
        <translation>Ein Lauf des geänderten Trainings: hielt das Versprechen?</translation>
    </message>
    <message>
        <source>&amp;After</source>
        <translation>&amp;Später</translation>
    </message>
    <message>
        <source>&amp;Open as a schedule</source>
        <translation>Als Ablaufplan &amp;öffnen</translation>
    </message>
    <message>
        <source>Opens the chosen change with its costs in a tab of its own.</source>
        <translation>Öffnet die gewählte Änderung mit ihren Kosten in einem eigenen Tab.</translation>
    </message>
    <message>
        <source>A step takes %1; ranks compute %2 of it. %3</source>
        <translation>Ein Schritt dauert %1; davon rechnen Ränge %2. %3</translation>
    </message>
    <message>
        <source>There is no advice: %1</source>
        <translation>Es gibt keinen Rat: %1</translation>
    </message>
    <message>
        <source>Layers: %1</source>
        <translation>Schichten: %1</translation>
    </message>
    <message>
        <source>Looking for changes …</source>
        <translation>Änderungen werden gesucht …</translation>
    </message>
    <message>
        <source>cannot be had</source>
        <translation>nicht zu haben</translation>
    </message>
    <message>
        <source>nothing would make the step shorter</source>
        <translation>nichts würde den Schritt kürzer machen</translation>
    </message>
    <message>
        <source>Before %1, after %2 (%3).</source>
        <translation>Vorher %1, danach %2 (%3).</translation>
    </message>
    <message>
        <source>Comparable: %1.</source>
        <translation>Vergleichbar: %1.</translation>
    </message>
    <message>
        <source>Not comparable: %1.</source>
        <translation>Nicht vergleichbar: %1.</translation>
    </message>
    <message>
        <source>It is &apos;%1&apos;, and the promise of %2 (%3 … %4) held.</source>
        <translation>Es ist „%1“, und das Versprechen von %2 (%3 … %4) hielt.</translation>
    </message>
    <message>
        <source>It is &apos;%1&apos;, and the promise of %2 (%3 … %4) did not hold.</source>
        <translation>Es ist „%1“, und das Versprechen von %2 (%3 … %4) hielt nicht.</translation>
    </message>
    <message>
        <source>Where the difference lies: %1.</source>
        <translation>Wo der Unterschied liegt: %1.</translation>
    </message>
    <message>
        <source>Advice · %1</source>
        <translation>Rat · %1</translation>
    </message>
    <message>
        <source>%1: a step of %2, %3 (%4 … %5)</source>
        <translation>%1: ein Schritt von %2, %3 (%4 … %5)</translation>
    </message>
    <message>
        <source>La&amp;yers</source>
        <translation>S&amp;chichten</translation>
    </message>
    <message>
        <source>Advice</source>
        <translation>Rat</translation>
    </message>
    <message>
        <source>It is &apos;%1&apos;, for which %2 (%3 … %4) was promised.</source>
        <translation>Es ist „%1“, wofür %2 (%3 … %4) versprochen war.</translation>
    </message>
    <message>
        <source>Reading %1 …</source>
        <translation>%1 wird gelesen …</translation>
    </message>
    <message>
        <source>There is no advice to hold %1 against.</source>
        <translation>Es gibt keinen Rat, an dem sich %1 messen ließe.</translation>
    </message>
    <message>
        <source>%1: the field Layers says it.</source>
        <translation>%1: Das Feld Schichten sagt es.</translation>
    </message>
</context>
<context>
    <name>pw::ui::AlternativesChart</name>
    <message>
        <source>memory limit %1</source>
        <translation>Speichergrenze %1</translation>
    </message>
    <message>
        <source>makespan that 95 % of runs stay below; the band begins at 5 %</source>
        <translation>Gesamtdauer, unter der 95 % der Läufe bleiben; das Band beginnt bei 5 %</translation>
    </message>
    <message>
        <source>makespan, shorter is better</source>
        <translation>Gesamtdauer, kürzer ist besser</translation>
    </message>
    <message>
        <source>Peak memory of a device</source>
        <translation>Speicherspitze eines Geräts</translation>
    </message>
    <message>
        <source>Peak activation, micro-batches</source>
        <translation>Aktivierungsspitze, Micro-Batches</translation>
    </message>
    <message>
        <source>%1: %2. Click opens it.</source>
        <translation>%1: %2. Klick öffnet.</translation>
    </message>
</context>
<context>
    <name>pw::ui::AlternativesModel</name>
    <message>
        <source> mb</source>
        <translation> mb</translation>
    </message>
    <message>
        <source>alternative</source>
        <translation>Alternative</translation>
    </message>
    <message>
        <source>makespan</source>
        <translation>Gesamtdauer</translation>
    </message>
    <message>
        <source>95 % below</source>
        <translation>95 % unter</translation>
    </message>
    <message>
        <source>bubble</source>
        <translation>Bubble</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>of the limit</source>
        <translation>der Grenze</translation>
    </message>
    <message>
        <source>against 1F1B</source>
        <translation>gegen 1F1B</translation>
    </message>
    <message>
        <source>why not</source>
        <translation>warum nicht</translation>
    </message>
    <message>
        <source>comes from</source>
        <translation>woher</translation>
    </message>
</context>
<context>
    <name>pw::ui::AlternativesPage</name>
    <message>
        <source>Time and memory</source>
        <translation>Zeit und Speicher</translation>
    </message>
    <message>
        <source>Side by side</source>
        <translation>Nebeneinander</translation>
    </message>
    <message>
        <source>What if</source>
        <translation>Was wäre, wenn</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Reihe</translation>
    </message>
    <message>
        <source>Noise</source>
        <translation>Rauschen</translation>
    </message>
    <message>
        <source>Improve</source>
        <translation>Verbessern</translation>
    </message>
    <message>
        <source>Working out the schedules …</source>
        <translation>Ablaufpläne werden berechnet …</translation>
    </message>
    <message>
        <source>there is none</source>
        <translation>es gibt keine</translation>
    </message>
    <message>
        <source>No family can be made so: %1.</source>
        <translation>So ist keine Familie möglich: %1.</translation>
    </message>
    <message>
        <source>The first %1 of the chosen rows are shown.</source>
        <translation>Die ersten %1 der gewählten Zeilen werden gezeigt.</translation>
    </message>
    <message>
        <source>What if · %1</source>
        <translation>Was wäre, wenn · %1</translation>
    </message>
    <message>
        <source>Alternatives · %1</source>
        <translation>Alternativen · %1</translation>
    </message>
    <message>
        <source>%1 of %2 schedules</source>
        <translation>%1 von %2 Ablaufplänen</translation>
    </message>
</context>
<context>
    <name>pw::ui::AlternativesTable</name>
    <message>
        <source>Filter by words</source>
        <translation>Nach Wörtern filtern</translation>
    </message>
    <message>
        <source>Filter the rows</source>
        <translation>Zeilen filtern</translation>
    </message>
    <message>
        <source>A&amp;dd…</source>
        <translation>Hin&amp;zufügen …</translation>
    </message>
    <message>
        <source>Adds open schedules, runs and the pinned schedule as rows.</source>
        <translation>Fügt offene Ablaufpläne, Läufe und den angehefteten Ablaufplan als Zeilen hinzu.</translation>
    </message>
    <message>
        <source>Kinds</source>
        <translation>Arten</translation>
    </message>
    <message>
        <source>Which kinds of rows are shown.</source>
        <translation>Welche Arten von Zeilen gezeigt werden.</translation>
    </message>
    <message>
        <source>Columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>Which columns are shown.</source>
        <translation>Welche Spalten gezeigt werden.</translation>
    </message>
    <message>
        <source>Alternatives</source>
        <translation>Alternativen</translation>
    </message>
    <message>
        <source>%1 of %2 rows</source>
        <translation>%1 von %2 Zeilen</translation>
    </message>
</context>
<context>
    <name>pw::ui::AnnotationController</name>
    <message>
        <source>There are no lanes to draw on.</source>
        <translation>Es gibt keine Spuren, auf die gezeichnet werden könnte.</translation>
    </message>
    <message>
        <source>Text: click where it is to stand. Enter puts it at the selected pass, Esc leaves.</source>
        <translation>Text: anklicken, wo er stehen soll. Enter setzt ihn an den gewählten Durchlauf, Esc beendet.</translation>
    </message>
    <message>
        <source>Arrow: drag from where its words stand to what it points at. Enter draws it between the two selected passes, Esc leaves.</source>
        <translation>Pfeil: von seinen Wörtern zu dem ziehen, worauf er zeigt. Enter zeichnet ihn zwischen den beiden gewählten Durchläufen, Esc beendet.</translation>
    </message>
    <message>
        <source>Bracket: drag along the upper or lower edge of a lane, or click a pass. Enter draws it at the selected passes, Esc leaves.</source>
        <translation>Klammer: am oberen oder unteren Rand einer Spur entlangziehen oder einen Durchlauf anklicken. Enter zeichnet sie an die gewählten Durchläufe, Esc beendet.</translation>
    </message>
    <message>
        <source>Region: drag over time and lanes, or click a pass. Enter draws it around the selected passes, Esc leaves.</source>
        <translation>Bereich: über Zeit und Spuren ziehen oder einen Durchlauf anklicken. Enter zeichnet ihn um die gewählten Durchläufe, Esc beendet.</translation>
    </message>
    <message>
        <source>An arrow is dragged from where its words stand to what it points at.</source>
        <translation>Ein Pfeil wird von seinen Wörtern zu dem gezogen, worauf er zeigt.</translation>
    </message>
    <message>
        <source>No pass is selected.</source>
        <translation>Kein Durchlauf ist gewählt.</translation>
    </message>
    <message>
        <source>Fewer than two passes are selected; the arrow goes from the first to the last of them.</source>
        <translation>Es sind weniger als zwei Durchläufe gewählt; der Pfeil geht vom ersten zum letzten von ihnen.</translation>
    </message>
</context>
<context>
    <name>pw::ui::AnnotationEditor</name>
    <message>
        <source>The schedule has no annotations.</source>
        <translation>Der Ablaufplan hat keine Anmerkungen.</translation>
    </message>
    <message>
        <source>Annotation %1 of %2: arrow keys move it, Enter changes its text, Del removes it, Esc leaves.</source>
        <translation>Anmerkung %1 von %2: Pfeiltasten verschieben sie, Enter ändert ihren Text, Entf entfernt sie, Esc beendet.</translation>
    </message>
    <message>
        <source>No annotation is selected: click one, or ask for the next one.</source>
        <translation>Keine Anmerkung ist gewählt: eine anklicken oder nach der nächsten fragen.</translation>
    </message>
    <message>
        <source>Remove annotation</source>
        <translation>Anmerkung entfernen</translation>
    </message>
    <message>
        <source>Colour of annotation</source>
        <translation>Farbe der Anmerkung</translation>
    </message>
    <message>
        <source>Move annotation</source>
        <translation>Anmerkung verschieben</translation>
    </message>
    <message>
        <source>Text of annotation</source>
        <translation>Text der Anmerkung</translation>
    </message>
    <message>
        <source>Annotate</source>
        <translation>Anmerkung zeichnen</translation>
    </message>
    <message>
        <source>Ink</source>
        <translation>Schriftfarbe</translation>
    </message>
    <message>
        <source>Violet</source>
        <translation>Violett</translation>
    </message>
    <message>
        <source>Orange</source>
        <translation>Orange</translation>
    </message>
    <message>
        <source>Green</source>
        <translation>Grün</translation>
    </message>
    <message>
        <source>Edit &amp;text…</source>
        <translation>&amp;Text ändern…</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Entfernen</translation>
    </message>
</context>
<context>
    <name>pw::ui::AnnotationField</name>
    <message>
        <source>Text of the annotation</source>
        <translation>Text der Anmerkung</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Text, or none</source>
        <translation>Text, oder keiner</translation>
    </message>
</context>
<context>
    <name>pw::ui::AnswerPage</name>
    <message>
        <source>What was answered</source>
        <translation>Was geantwortet wurde</translation>
    </message>
    <message>
        <source>%1, kept %2</source>
        <translation>%1, behalten %2</translation>
    </message>
</context>
<context>
    <name>pw::ui::Autosave</name>
    <message>
        <source>No copy for a crash can be kept, so save now and then: %1</source>
        <translation>Keine Kopie für einen Absturz möglich, also ab und zu speichern: %1</translation>
    </message>
    <message>
        <source>Not recovered: %1</source>
        <translation>Nicht wiederhergestellt: %1</translation>
    </message>
</context>
<context>
    <name>pw::ui::BenchModel</name>
    <message>
        <source>Missing: %1.</source>
        <translation>Es fehlt: %1.</translation>
    </message>
    <message>
        <source>Missing: %1 and %2 more.</source>
        <translation>Es fehlt: %1 und %2 weitere.</translation>
    </message>
    <message>
        <source> One more collision.</source>
        <translation> Noch eine Kollision.</translation>
    </message>
    <message>
        <source> %1 more collisions.</source>
        <translation> %1 weitere Kollisionen.</translation>
    </message>
    <message>
        <source>%1 passes are more than the bench assembles, which is %2: take fewer micro-batches.</source>
        <translation>%1 Durchläufe sind mehr, als die Werkbank zusammensetzt, nämlich %2: weniger Micro-Batches nehmen.</translation>
    </message>
    <message>
        <source>%1 has no building block</source>
        <translation>%1 hat keinen Baustein</translation>
    </message>
    <message>
        <source>Start from %1</source>
        <translation>Mit %1 beginnen</translation>
    </message>
    <message>
        <source>Start empty</source>
        <translation>Leer beginnen</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>The bench assembles 1 to %1 micro-batches.</source>
        <translation>Die Werkbank setzt 1 bis %1 Micro-Batches zusammen.</translation>
    </message>
    <message>
        <source>Interval %1</source>
        <translation>Intervall %1</translation>
    </message>
    <message>
        <source>Two passes of the block itself meet: no interval helps.</source>
        <translation>Zwei Durchläufe des Bausteins selbst treffen sich: kein Intervall hilft.</translation>
    </message>
    <message>
        <source>The bench has 1 to %1 devices.</source>
        <translation>Die Werkbank hat 1 bis %1 Geräte.</translation>
    </message>
    <message>
        <source>The stages of this block are placed in a way of its own: choose a placement first.</source>
        <translation>Die Stufen dieses Bausteins liegen auf eigene Art: erst eine Platzierung wählen.</translation>
    </message>
    <message>
        <source>A zigzag goes down and up: 2, 4, 6 … chunks.</source>
        <translation>Ein Zickzack geht hin und zurück: 2, 4, 6 … Chunks.</translation>
    </message>
    <message>
        <source>A device has 1 to 16 chunks.</source>
        <translation>Ein Gerät hat 1 bis 16 Chunks.</translation>
    </message>
    <message>
        <source>Placement</source>
        <translation>Platzierung</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>%1 verschieben</translation>
    </message>
    <message>
        <source>Move %1 passes</source>
        <translation>%1 Durchläufe verschieben</translation>
    </message>
    <message>
        <source>Duration %1</source>
        <translation>Dauer %1</translation>
    </message>
    <message>
        <source>Split BW</source>
        <translation>BW teilen</translation>
    </message>
    <message>
        <source>Join B and W</source>
        <translation>B und W verbinden</translation>
    </message>
    <message>
        <source>Add %1</source>
        <translation>%1 hinzufügen</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>%1 entfernen</translation>
    </message>
    <message>
        <source>Remove %1 passes</source>
        <translation>%1 Durchläufe entfernen</translation>
    </message>
    <message>
        <source>Fill weights</source>
        <translation>Gewichte auffüllen</translation>
    </message>
    <message>
        <source>Add what is missing</source>
        <translation>Fehlendes hinzufügen</translation>
    </message>
    <message>
        <source>%1, changed</source>
        <translation>%1, geändert</translation>
    </message>
    <message>
        <source>The block has %1 passes; the bench draws up to %2.</source>
        <translation>Der Baustein hat %1 Durchläufe; die Werkbank zeichnet bis zu %2.</translation>
    </message>
</context>
<context>
    <name>pw::ui::BenchPage</name>
    <message>
        <source>Bench</source>
        <translation>Werkbank</translation>
    </message>
    <message>
        <source>Bench · %1</source>
        <translation>Werkbank · %1</translation>
    </message>
    <message>
        <source>%1, not whole yet</source>
        <translation>%1, noch unvollständig</translation>
    </message>
    <message>
        <source>interval %1     %2     predicted peak %3     %4</source>
        <translation>Intervall %1     %2     vorhergesagte Spitze %3     %4</translation>
    </message>
    <message>
        <source>There is no open schedule to take a micro-batch from.</source>
        <translation>Kein Ablaufplan ist offen, aus dem ein Micro-Batch kommen könnte.</translation>
    </message>
    <message>
        <source>Select a pass in the timeline of %1 first: its micro-batch is taken.</source>
        <translation>Erst in der Zeitleiste von %1 einen Durchlauf wählen: Sein Micro-Batch wird genommen.</translation>
    </message>
    <message>
        <source>An optimizer update belongs to no micro-batch.</source>
        <translation>Ein Optimierer-Update gehört zu keinem Micro-Batch.</translation>
    </message>
    <message>
        <source>Micro-batch %1 of %2</source>
        <translation>Micro-Batch %1 von %2</translation>
    </message>
    <message>
        <source>building block</source>
        <translation>Baustein</translation>
    </message>
    <message>
        <source>Use %1</source>
        <translation>%1 verwenden</translation>
    </message>
    <message>
        <source>%1 is the schedule now; undo brings back what was there.</source>
        <translation>%1 ist jetzt der Ablaufplan; Rückgängig bringt den alten zurück.</translation>
    </message>
    <message>
        <source>There is no open schedule to keep the block in: use it in a new tab.</source>
        <translation>Kein Ablaufplan ist offen, der den Baustein aufnehmen könnte: in einem neuen Tab verwenden.</translation>
    </message>
    <message>
        <source>The block has no passes yet.</source>
        <translation>Der Baustein hat noch keine Durchläufe.</translation>
    </message>
    <message>
        <source>My block %1</source>
        <translation>Mein Baustein %1</translation>
    </message>
    <message>
        <source>Keep block %1</source>
        <translation>Baustein %1 behalten</translation>
    </message>
    <message>
        <source>Kept as %1 in %2.</source>
        <translation>Als %1 in %2 behalten.</translation>
    </message>
    <message>
        <source>Block of the level</source>
        <translation>Block des Levels</translation>
    </message>
    <message>
        <source>Change the block</source>
        <translation>Den Block ändern</translation>
    </message>
    <message>
        <source>No schedule is open.</source>
        <translation>Kein Ablaufplan ist offen.</translation>
    </message>
    <message>
        <source>the costs of %1</source>
        <translation>den Kosten von %1</translation>
    </message>
    <message>
        <source>Its stages take different times, which other passes do not have.</source>
        <translation>Seine Stufen dauern verschieden lange, was andere Durchläufe nicht haben.</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
</context>
<context>
    <name>pw::ui::BenchPanel</name>
    <message>
        <source>Start from</source>
        <translation>Beginnen mit</translation>
    </message>
    <message>
        <source>A family&apos;s block, a micro-batch of the schedule, an own block, or none</source>
        <translation>Der Baustein einer Familie, ein Micro-Batch des Ablaufplans, ein eigener Baustein oder keiner</translation>
    </message>
    <message>
        <source>Name of the block</source>
        <translation>Name des Bausteins</translation>
    </message>
    <message>
        <source>&amp;Devices</source>
        <translation>&amp;Geräte</translation>
    </message>
    <message>
        <source>A family&apos;s block is made anew for them; another becomes a plain one</source>
        <translation>Der Baustein einer Familie wird neu gemacht; ein anderer wird zu einem einfachen</translation>
    </message>
    <message>
        <source>linear</source>
        <translation>linear</translation>
    </message>
    <message>
        <source>V</source>
        <translation>V</translation>
    </message>
    <message>
        <source>looped</source>
        <translation>Schleife</translation>
    </message>
    <message>
        <source>zigzag</source>
        <translation>Zickzack</translation>
    </message>
    <message>
        <source>Placement</source>
        <translation>Platzierung</translation>
    </message>
    <message>
        <source>Which device holds which stage; another placement begins with a plain block</source>
        <translation>Welches Gerät welche Stufe hat; eine andere Platzierung beginnt mit einem einfachen Baustein</translation>
    </message>
    <message>
        <source>&amp;Placement</source>
        <translation>&amp;Platzierung</translation>
    </message>
    <message>
        <source>Chun&amp;ks</source>
        <translation>&amp;Chunks</translation>
    </message>
    <message>
        <source>Stages of a device, of looped and zigzag</source>
        <translation>Stufen eines Geräts, bei Schleife und Zickzack</translation>
    </message>
    <message>
        <source>&amp;Interval</source>
        <translation>&amp;Intervall</translation>
    </message>
    <message>
        <source>From one block to the next, in units; or drag its end in the ruler</source>
        <translation>Von einem Baustein zum nächsten, in Einheiten; oder sein Ende im Lineal ziehen</translation>
    </message>
    <message>
        <source>&amp;Micro-batches</source>
        <translation>&amp;Micro-Batches</translation>
    </message>
    <message>
        <source>That the block is repeated for</source>
        <translation>Für die der Baustein wiederholt wird</translation>
    </message>
    <message>
        <source>%1 (key %2)</source>
        <translation>%1 (Taste %2)</translation>
    </message>
    <message>
        <source>Complete</source>
        <translation>Ergänzen</translation>
    </message>
    <message>
        <source>Adds every missing pass at its first free place</source>
        <translation>Fügt jeden fehlenden Durchlauf am ersten freien Platz ein</translation>
    </message>
    <message>
        <source>Fill weights</source>
        <translation>Gewichte auffüllen</translation>
    </message>
    <message>
        <source>Puts every W at the first free place behind its B</source>
        <translation>Legt jedes W an den ersten freien Platz hinter seinem B</translation>
    </message>
    <message>
        <source>Split BW</source>
        <translation>BW teilen</translation>
    </message>
    <message>
        <source>A B with a W behind it instead of each chosen BW, or of all</source>
        <translation>Ein B mit einem W dahinter statt jedes gewählten BW, oder aller</translation>
    </message>
    <message>
        <source>Join B and W</source>
        <translation>B und W verbinden</translation>
    </message>
    <message>
        <source>A BW in the place of each chosen B, or of all</source>
        <translation>Ein BW statt jedes gewählten B, oder aller</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>Entfernen</translation>
    </message>
    <message>
        <source>Takes the chosen passes away</source>
        <translation>Nimmt die gewählten Durchläufe weg</translation>
    </message>
    <message>
        <source>Choose passes first.</source>
        <translation>Erst Durchläufe wählen.</translation>
    </message>
    <message>
        <source>Least interval</source>
        <translation>Kleinstes Intervall</translation>
    </message>
    <message>
        <source>The shortest interval without a collision</source>
        <translation>Das kürzeste Intervall ohne Kollision</translation>
    </message>
    <message>
        <source>Lasts</source>
        <translation>Dauert</translation>
    </message>
    <message>
        <source>Units that the chosen passes take; what waits for them gives way</source>
        <translation>Einheiten, die die gewählten Durchläufe dauern; was auf sie wartet, rückt nach</translation>
    </message>
    <message>
        <source>Choose every F</source>
        <translation>Jedes F wählen</translation>
    </message>
    <message>
        <source>Choose every B</source>
        <translation>Jedes B wählen</translation>
    </message>
    <message>
        <source>Choose every W</source>
        <translation>Jedes W wählen</translation>
    </message>
    <message>
        <source>Choose every BW</source>
        <translation>Jedes BW wählen</translation>
    </message>
    <message>
        <source>Use in the timeline</source>
        <translation>In der Zeitleiste verwenden</translation>
    </message>
    <message>
        <source>Use in a new tab</source>
        <translation>In neuem Tab verwenden</translation>
    </message>
    <message>
        <source>A new schedule with the chosen arrangement and the times that it is drawn with, a unit being a millisecond</source>
        <translation>Ein neuer Ablaufplan mit der gewählten Anordnung und den gezeichneten Zeiten; eine Einheit ist eine Millisekunde</translation>
    </message>
    <message>
        <source>Keep as my block</source>
        <translation>Als Baustein behalten</translation>
    </message>
    <message>
        <source>Into the schedule&apos;s own blocks, which the palette shows</source>
        <translation>Zu den eigenen Bausteinen des Ablaufplans, die die Palette zeigt</translation>
    </message>
    <message>
        <source>There is no open schedule: a new tab is opened for it</source>
        <translation>Kein Ablaufplan ist offen: Ein neuer Tab wird dafür geöffnet</translation>
    </message>
    <message>
        <source>The chosen arrangement becomes the schedule of %1; it keeps its times and can be undone there</source>
        <translation>Die gewählte Anordnung wird der Ablaufplan von %1; er behält seine Zeiten, und dort lässt es sich rückgängig machen</translation>
    </message>
    <message>
        <source>Selected micro-batch of the schedule</source>
        <translation>Gewählter Micro-Batch des Ablaufplans</translation>
    </message>
    <message>
        <source>Start from a micro-batch</source>
        <translation>Mit einem Micro-Batch beginnen</translation>
    </message>
    <message>
        <source>My block %1</source>
        <translation>Mein Baustein %1</translation>
    </message>
    <message>
        <source>Start from %1</source>
        <translation>Mit %1 beginnen</translation>
    </message>
    <message>
        <source>Empty</source>
        <translation>Leer</translation>
    </message>
    <message>
        <source>its own</source>
        <translation>eigene</translation>
    </message>
    <message>
        <source>Choose a pass to change how long it takes</source>
        <translation>Einen Durchlauf wählen, um seine Dauer zu ändern</translation>
    </message>
    <message>
        <source>Repeats every %1 without a collision. The busiest device works %2 of %1, device %3 keeps most: %4.</source>
        <translation>Wiederholt alle %1 ohne Kollision. Das meistbeschäftigte Gerät arbeitet %2 von %1, Gerät %3 hält am meisten: %4.</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>Zeiten</translation>
    </message>
    <message>
        <source>What passes take and hold, in milliseconds and bytes: of a model, of the schedule, or your own</source>
        <translation>Was Durchläufe dauern und halten, in Millisekunden und Bytes: eines Modells, des Ablaufplans oder eigene</translation>
    </message>
    <message>
        <source>Units, as they are drawn</source>
        <translation>Einheiten, wie gezeichnet</translation>
    </message>
    <message>
        <source>Own times…</source>
        <translation>Eigene Zeiten…</translation>
    </message>
    <message>
        <source>Of a model…</source>
        <translation>Eines Modells…</translation>
    </message>
    <message>
        <source>Of the schedule</source>
        <translation>Des Ablaufplans</translation>
    </message>
    <message>
        <source>No schedule is open.</source>
        <translation>Kein Ablaufplan ist offen.</translation>
    </message>
    <message>
        <source>own times</source>
        <translation>eigenen Zeiten</translation>
    </message>
    <message>
        <source>%1: %2.</source>
        <translation>%1: %2.</translation>
    </message>
    <message>
        <source>With %1: one block every %2 at best, %3 take %4</source>
        <translation>Mit %1: bestenfalls alle %2 ein Block, %3 dauern %4</translation>
    </message>
    <message>
        <source>; device %1 keeps %2 of activations.</source>
        <translation>; Gerät %1 hält %2 an Aktivierungen.</translation>
    </message>
</context>
<context>
    <name>pw::ui::BlockFind</name>
    <message>
        <source>Find: F, stage 2, device 1</source>
        <translation>Suchen: F, stage 2, device 1</translation>
    </message>
</context>
<context>
    <name>pw::ui::BlockView</name>
    <message>
        <source>Building block</source>
        <translation>Baustein</translation>
    </message>
    <message>
        <source>stages %1</source>
        <translation>Stufen %1</translation>
    </message>
    <message>
        <source>%1, device %2: %3 to %4, at %5 of the interval</source>
        <translation>%1, Gerät %2: %3 bis %4, bei %5 des Intervalls</translation>
    </message>
    <message>
        <source>Device %1 has all its passes.</source>
        <translation>Gerät %1 hat alle seine Durchläufe.</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>Earlier by</source>
        <translation>Früher um</translation>
    </message>
    <message>
        <source>Later by</source>
        <translation>Später um</translation>
    </message>
    <message>
        <source>Interval %1</source>
        <translation>Intervall %1</translation>
    </message>
    <message>
        <source>The block is repeated every %1. Drag to change the interval.</source>
        <translation>Der Baustein wird alle %1 wiederholt. Ziehen ändert das Intervall.</translation>
    </message>
    <message>
        <source>Double-click a row to place its next pass there, press C to complete the block, or start from a family&apos;s block above.</source>
        <translation>Doppelklick in eine Zeile legt dort ihren nächsten Durchlauf ab, C ergänzt den Baustein; oder oben mit dem Baustein einer Familie beginnen.</translation>
    </message>
    <message>
        <source>units</source>
        <translation>Einheiten</translation>
    </message>
    <message>
        <source>stage %1: %2, %3 at once</source>
        <translation>Stufe %1: %2, %3 zugleich</translation>
    </message>
    <message>
        <source>device %1</source>
        <translation>Gerät %1</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source>A row a device. Arrow keys choose a pass, with Alt Left and Right move it, with Shift, too, together with what is in the way.</source>
        <translation>Eine Zeile je Gerät. Pfeiltasten wählen einen Durchlauf, mit Alt verschieben ihn Links und Rechts, zusätzlich mit Umschalt samt dem, was im Weg ist.</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 bis %2</translation>
    </message>
    <message>
        <source>Choose a pass first: Left and Right, or a click.</source>
        <translation>Erst einen Durchlauf wählen: Links und Rechts, oder ein Klick.</translation>
    </message>
</context>
<context>
    <name>pw::ui::BubbleChart</name>
    <message>
        <source>wall %1   span %2</source>
        <translation>Wall %1   Span %2</translation>
    </message>
    <message>
        <source>Bubble</source>
        <translation>Bubble</translation>
    </message>
    <message>
        <source>%1: idle for %2 of the makespan (wall bubble), for %3 of its own first start to last end (span bubble)</source>
        <translation>%1: Leerlauf %2 der Gesamtdauer (Wall-Bubble), %3 der eigenen Spanne vom ersten Beginn bis zum letzten Ende (Span-Bubble)</translation>
    </message>
    <message>
        <source>wall bubble %1 on every device</source>
        <translation>Wall-Bubble %1 auf jedem Gerät</translation>
    </message>
    <message>
        <source>wall bubble %1 on %2 to %3 on %4</source>
        <translation>Wall-Bubble %1 auf %2 bis %3 auf %4</translation>
    </message>
    <message>
        <source>idle ÷ time</source>
        <translation>Leerlauf ÷ Zeit</translation>
    </message>
    <message>
        <source>
Under noise the wall bubble of nine of ten runs is %1 to %2.</source>
        <translation>
Bei Rauschen ist die Wall-Bubble von neun von zehn Läufen %1 bis %2.</translation>
    </message>
    <message>
        <source>idle so far</source>
        <translation>Leerlauf bisher</translation>
    </message>
</context>
<context>
    <name>pw::ui::Calibration</name>
    <message>
        <source>Measuring was stopped; nothing has changed.</source>
        <translation>Das Messen wurde angehalten; nichts hat sich geändert.</translation>
    </message>
    <message>
        <source>The measured costs cannot be read: %1</source>
        <translation>Die gemessenen Kosten sind nicht lesbar: %1</translation>
    </message>
    <message>
        <source>The schedule was closed meanwhile: the measured costs are not used.</source>
        <translation>Der Ablaufplan wurde inzwischen geschlossen: Die gemessenen Kosten werden nicht verwendet.</translation>
    </message>
    <message>
        <source>The schedule now has the costs measured on %1 of %2. Undo brings the old ones back.</source>
        <translation>Der Ablaufplan hat jetzt die Kosten, die auf %1 von %2 gemessen wurden. Rückgängig bringt die alten zurück.</translation>
    </message>
    <message>
        <source>Costs measured on %1</source>
        <translation>Auf %1 gemessene Kosten</translation>
    </message>
</context>
<context>
    <name>pw::ui::ChartStack</name>
    <message>
        <source>limit %1</source>
        <translation>Grenze %1</translation>
    </message>
    <message>
        <source>nine of ten runs</source>
        <translation>neun von zehn Läufen</translation>
    </message>
</context>
<context>
    <name>pw::ui::ChoiceButton</name>
    <message>
        <source>Another pass here instead (Alt+Down)</source>
        <translation>Hier einen anderen Durchlauf (Alt+Ab)</translation>
    </message>
    <message>
        <source>Placed: %1; choose another pass</source>
        <translation>Platziert: %1; anderen Durchlauf wählen</translation>
    </message>
</context>
<context>
    <name>pw::ui::CommandPalette</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>Search commands</source>
        <translation>Befehle suchen</translation>
    </message>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>No command is called that</source>
        <translation>So heißt kein Befehl</translation>
    </message>
</context>
<context>
    <name>pw::ui::Commands</name>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Schedule</source>
        <translation>Ablaufpla&amp;n</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>Aus&amp;führen</translation>
    </message>
    <message>
        <source>&amp;Traces</source>
        <translation>&amp;Traces</translation>
    </message>
    <message>
        <source>&amp;Learn</source>
        <translation>&amp;Lernen</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>Edit</source>
        <translation>Bearbeiten</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>Ablaufplan</translation>
    </message>
    <message>
        <source>View</source>
        <translation>Ansicht</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>Traces</source>
        <translation>Traces</translation>
    </message>
    <message>
        <source>Learn</source>
        <translation>Lernen</translation>
    </message>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
</context>
<context>
    <name>pw::ui::CommunicationPage</name>
    <message>
        <source>Buffers</source>
        <translation>Puffer</translation>
    </message>
    <message>
        <source>&amp;Receives</source>
        <translation>E&amp;mpfangen</translation>
    </message>
    <message>
        <source>as sent</source>
        <translation>wie gesendet</translation>
    </message>
    <message>
        <source>at use</source>
        <translation>bei Gebrauch</translation>
    </message>
    <message>
        <source>early by</source>
        <translation>früher um</translation>
    </message>
    <message>
        <source>deferred</source>
        <translation>aufgeschoben</translation>
    </message>
    <message>
        <source>Where a receive is posted: where the device has come to when the message leaves, as PyTorch does; directly before the pass that needs it; some passes before it; or as PyTorch&apos;s defer_pp_recv.</source>
        <translation>Wo ein Empfangen angemeldet wird: wo das Gerät steht, wenn die Nachricht abgeht, wie in PyTorch; direkt vor dem Durchlauf, der sie braucht; einige Durchläufe davor; oder wie defer_pp_recv in PyTorch.</translation>
    </message>
    <message>
        <source>as the file</source>
        <translation>wie die Datei</translation>
    </message>
    <message>
        <source>Pa&amp;sses</source>
        <translation>&amp;Durchläufe</translation>
    </message>
    <message>
        <source>How many passes before its use a receive is posted.</source>
        <translation>Um wie viele Durchläufe ein Empfangen vor dem Gebrauch angemeldet wird.</translation>
    </message>
    <message>
        <source>Se&amp;nds are awaited</source>
        <translation>&amp;Warten (Senden)</translation>
    </message>
    <message>
        <source>at the end</source>
        <translation>am Ende</translation>
    </message>
    <message>
        <source>at its backward</source>
        <translation>beim Backward</translation>
    </message>
    <message>
        <source>none</source>
        <translation>ohne</translation>
    </message>
    <message>
        <source>at once</source>
        <translation>sofort</translation>
    </message>
    <message>
        <source>Where a device waits for what it sends and gives its buffer back. None: as soon as it has left.</source>
        <translation>Wo ein Gerät auf Gesendetes wartet und dessen Puffer zurückgibt. Ohne: sobald es abgegangen ist.</translation>
    </message>
    <message>
        <source>Co&amp;mmunicators</source>
        <translation>&amp;Kommunikatoren</translation>
    </message>
    <message>
        <source>one</source>
        <translation>einer</translation>
    </message>
    <message>
        <source>a direction</source>
        <translation>je Richtung</translation>
    </message>
    <message>
        <source>an edge</source>
        <translation>je Leitung</translation>
    </message>
    <message>
        <source>Messages of a communicator travel one after the other, in the order of posting.</source>
        <translation>Nachrichten eines Kommunikators gehen nacheinander ab, in der Reihenfolge der Anmeldung.</translation>
    </message>
    <message>
        <source>&amp;Message</source>
        <translation>Nachr&amp;icht</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>Si&amp;ze</source>
        <translation>&amp;Größe</translation>
    </message>
    <message>
        <source>KiB</source>
        <translation>KiB</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>E&amp;ager to</source>
        <translation>&amp;Eager bis</translation>
    </message>
    <message>
        <source>Messages of at most this size leave before their receive is posted.</source>
        <translation>Nachrichten bis zu dieser Größe gehen ab, bevor ihr Empfangen angemeldet ist.</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>s&amp;harded</source>
        <translation>gesha&amp;rdet</translation>
    </message>
    <message>
        <source>Stages are gathered before their passes, gradients are reduced.</source>
        <translation>Stufen werden vor ihren Durchläufen gesammelt, Gradienten werden reduziert.</translation>
    </message>
    <message>
        <source>&amp;Look ahead</source>
        <translation>V&amp;orausschau</translation>
    </message>
    <message>
        <source>full</source>
        <translation>voll</translation>
    </message>
    <message>
        <source>Stages whose gather is started ahead.</source>
        <translation>Stufen, deren Sammeln im Voraus beginnt.</translation>
    </message>
    <message>
        <source>&amp;Gather</source>
        <translation>&amp;Sammeln</translation>
    </message>
    <message>
        <source>Time of one stage&apos;s gather, and of its reduction.</source>
        <translation>Zeit für das Sammeln einer Stufe, und für ihr Reduzieren.</translation>
    </message>
    <message>
        <source>E&amp;xperts</source>
        <translation>E&amp;xperten</translation>
    </message>
    <message>
        <source>Passes of this model&apos;s layers on H100, in parts: attention and MLP computed, tokens dispatched and combined. Overlapped pairs hide the exchanges.</source>
        <translation>Durchläufe der Schichten dieses Modells auf H100, in Teilen: Attention und MLP werden gerechnet, Token verteilt und zusammengeführt. Überlappte Paare verdecken den Austausch.</translation>
    </message>
    <message>
        <source>Spread o&amp;ver</source>
        <translation>&amp;Verteilt auf</translation>
    </message>
    <message>
        <source>Accelerators that the experts are spread over.</source>
        <translation>Beschleuniger, auf die sich die Experten verteilen.</translation>
    </message>
    <message>
        <source>Moves the selected send, receive or gather by one place of its device&apos;s order (%1). It can be dragged, too.</source>
        <translation>Verschiebt das gewählte Senden, Empfangen oder Sammeln um einen Platz in der Reihenfolge seines Geräts (%1). Ziehen geht auch.</translation>
    </message>
    <message>
        <source>Earlier</source>
        <translation>Früher</translation>
    </message>
    <message>
        <source>Later</source>
        <translation>Später</translation>
    </message>
    <message>
        <source>%1 has %2 layers, the schedule %3 stages.</source>
        <translation>%1 hat %2 Schichten, der Ablaufplan %3 Stufen.</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>%1 verschieben</translation>
    </message>
    <message>
        <source>A pass is moved on the schedule&apos;s own page.</source>
        <translation>Ein Durchlauf wird auf der Seite des Ablaufplans verschoben.</translation>
    </message>
    <message>
        <source>receive buffers</source>
        <translation>Empfangspuffer</translation>
    </message>
    <message>
        <source>sent, not given back</source>
        <translation>gesendet, nicht zurückgegeben</translation>
    </message>
    <message>
        <source>arrived before their receive</source>
        <translation>vor dem Empfangen angekommen</translation>
    </message>
    <message>
        <source>gathered weights</source>
        <translation>gesammelte Gewichte</translation>
    </message>
    <message>
        <source>Communication · %1</source>
        <translation>Kommunikation · %1</translation>
    </message>
    <message>
        <source>messages would be mixed up</source>
        <translation>Nachrichten würden verwechselt</translation>
    </message>
    <message>
        <source>deadlock</source>
        <translation>Deadlock</translation>
    </message>
    <message>
        <source>end %1 (%2)     exposed communication %3</source>
        <translation>Ende %1 (%2)     sichtbare Kommunikation %3</translation>
    </message>
    <message>
        <source>Mixed up: %1.</source>
        <translation>Verwechselt: %1.</translation>
    </message>
    <message>
        <source>The devices wait for each other in a ring: %1.</source>
        <translation>Die Geräte warten im Ring aufeinander: %1.</translation>
    </message>
    <message>
        <source>Ends at %1; the schedule alone at %2 (%3).</source>
        <translation>Endet bei %1; der Ablaufplan allein bei %2 (%3).</translation>
    </message>
    <message>
        <source>Device %1 waits longest for messages that were already made: %2.</source>
        <translation>Gerät %1 wartet am längsten auf Nachrichten, die schon berechnet waren: %2.</translation>
    </message>
    <message>
        <source>No communication is exposed.</source>
        <translation>Keine Kommunikation ist sichtbar.</translation>
    </message>
    <message>
        <source>of device %1</source>
        <translation>von Gerät %1</translation>
    </message>
    <message>
        <source>of device %1, counted</source>
        <translation>von Gerät %1, gezählt</translation>
    </message>
    <message>
        <source>%1 on device %2: never come to</source>
        <translation>%1 auf Gerät %2: nie erreicht</translation>
    </message>
    <message>
        <source>%1 on device %2: since %3, without end</source>
        <translation>%1 auf Gerät %2: seit %3, ohne Ende</translation>
    </message>
    <message>
        <source>%1 on device %2: %3 to %4</source>
        <translation>%1 auf Gerät %2: %3 bis %4</translation>
    </message>
    <message>
        <source>%1 on device %2: posted at %3, travels from %4 to %5</source>
        <translation>%1 auf Gerät %2: angemeldet bei %3, unterwegs von %4 bis %5</translation>
    </message>
    <message>
        <source>attention</source>
        <translation>Attention</translation>
    </message>
    <message>
        <source>dispatch to the experts</source>
        <translation>Verteilen an die Experten</translation>
    </message>
    <message>
        <source>MLP</source>
        <translation>MLP</translation>
    </message>
    <message>
        <source>combine of what the experts give</source>
        <translation>Zusammenführen der Ergebnisse der Experten</translation>
    </message>
    <message>
        <source>%1 of %2, layer %3 of its stage: %4 to %5</source>
        <translation>%1 von %2, Schicht %3 seiner Stufe: %4 bis %5</translation>
    </message>
    <message>
        <source>Communication</source>
        <translation>Kommunikation</translation>
    </message>
    <message>
        <source>Selected</source>
        <translation>Gewählt</translation>
    </message>
    <message>
        <source>Nothing is selected.</source>
        <translation>Nichts ist gewählt.</translation>
    </message>
    <message>
        <source>Receive buffers, by device</source>
        <translation>Empfangspuffer, nach Gerät</translation>
    </message>
    <message>
        <source>device %1</source>
        <translation>Gerät %1</translation>
    </message>
    <message>
        <source>%1 for activations, %2 for gradients</source>
        <translation>%1 für Aktivierungen, %2 für Gradienten</translation>
    </message>
    <message>
        <source>sends</source>
        <translation>Senden</translation>
    </message>
    <message>
        <source>receives</source>
        <translation>Empfangen</translation>
    </message>
    <message>
        <source>gathers</source>
        <translation>Sammeln</translation>
    </message>
    <message>
        <source>parts</source>
        <translation>Teile</translation>
    </message>
    <message>
        <source>all-to-all</source>
        <translation>All-to-all</translation>
    </message>
    <message>
        <source>Gra&amp;dients</source>
        <translation>Gra&amp;dienten</translation>
    </message>
    <message>
        <source>when done</source>
        <translation>wenn fertig</translation>
    </message>
    <message>
        <source>own order</source>
        <translation>eigene Reihenfolge</translation>
    </message>
    <message>
        <source>When the copies of a stage exchange their gradients: at the end, as soon as those of a stage are done, or as each device comes to it.</source>
        <translation>Wann die Kopien einer Stufe ihre Gradienten austauschen: am Ende, sobald die einer Stufe fertig sind, oder wie jedes Gerät dazu kommt.</translation>
    </message>
    <message>
        <source>gradients of other copies</source>
        <translation>Gradienten anderer Kopien</translation>
    </message>
    <message>
        <source>gradients</source>
        <translation>Gradienten</translation>
    </message>
    <message>
        <source>a pair</source>
        <translation>ein Paar</translation>
    </message>
</context>
<context>
    <name>pw::ui::CompareDialog</name>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Search schedules and runs</source>
        <translation>Ablaufpläne und Läufe suchen</translation>
    </message>
    <message>
        <source>Timelines to compare</source>
        <translation>Zu vergleichende Zeitleisten</translation>
    </message>
    <message>
        <source>&amp;Compare</source>
        <translation>&amp;Vergleichen</translation>
    </message>
    <message>
        <source>There is only one timeline to compare: open another schedule, or run one.</source>
        <translation>Es gibt nur eine Zeitleiste zum Vergleichen: einen weiteren Ablaufplan öffnen oder einen ausführen.</translation>
    </message>
    <message>
        <source>From the top: %1</source>
        <translation>Von oben: %1</translation>
    </message>
    <message>
        <source>Choose two or more; the first one chosen is on top.</source>
        <translation>Zwei oder mehr wählen; die zuerst gewählte steht oben.</translation>
    </message>
    <message>
        <source>Choose two or more first.</source>
        <translation>Erst zwei oder mehr wählen.</translation>
    </message>
</context>
<context>
    <name>pw::ui::CompareTables</name>
    <message>
        <source>Figures</source>
        <translation>Kennzahlen</translation>
    </message>
    <message>
        <source>timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>makespan</source>
        <translation>Gesamtdauer</translation>
    </message>
    <message>
        <source>to the first</source>
        <translation>zur ersten</translation>
    </message>
    <message>
        <source>span bubble</source>
        <translation>Span-Bubble</translation>
    </message>
    <message>
        <source>wall bubble</source>
        <translation>Wall-Bubble</translation>
    </message>
    <message>
        <source>micro-batches/s</source>
        <translation>Micro-Batches/s</translation>
    </message>
    <message>
        <source>Timelines whose ends are compared</source>
        <translation>Zeitleisten, deren Enden verglichen werden</translation>
    </message>
    <message>
        <source>Passes that moved the end</source>
        <translation>Durchläufe, die das Ende verschoben</translation>
    </message>
    <message>
        <source>pass</source>
        <translation>Durchlauf</translation>
    </message>
    <message>
        <source>device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>moves the end</source>
        <translation>verschiebt das Ende</translation>
    </message>
    <message>
        <source>takes longer</source>
        <translation>dauert länger</translation>
    </message>
    <message>
        <source>waits longer</source>
        <translation>wartet länger</translation>
    </message>
    <message>
        <source>What moved the end</source>
        <translation>Was das Ende verschob</translation>
    </message>
    <message>
        <source>%1 against %2</source>
        <translation>%1 gegenüber %2</translation>
    </message>
    <message>
        <source>Nothing to compare with.</source>
        <translation>Nichts zum Vergleichen.</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Wird verglichen …</translation>
    </message>
    <message>
        <source>%1 ends when %2 ends.</source>
        <translation>%1 endet zugleich mit %2.</translation>
    </message>
    <message>
        <source>%1 ends %2 later than %3. Of the chain of passes that decides its end, these moved it:</source>
        <translation>%1 endet %2 später als %3. Aus der Kette von Durchläufen, die sein Ende bestimmt, verschoben es diese:</translation>
    </message>
    <message>
        <source>%1 ends %2 sooner than %3. Of the chain of passes that decides its end, these moved it:</source>
        <translation>%1 endet %2 früher als %3. Aus der Kette von Durchläufen, die sein Ende bestimmt, verschoben es diese:</translation>
    </message>
    <message>
        <source>for a message of another device</source>
        <translation>auf eine Nachricht eines anderen Geräts</translation>
    </message>
    <message>
        <source>another pass ended last above</source>
        <translation>oben endete ein anderer Durchlauf zuletzt</translation>
    </message>
    <message>
        <source>Length of passes</source>
        <translation>Dauer der Durchläufe</translation>
    </message>
    <message>
        <source>peak memory</source>
        <translation>Speicherspitze</translation>
    </message>
    <message>
        <source>peak activation</source>
        <translation>Aktivierungsspitze</translation>
    </message>
    <message>
        <source>All that the fullest device holds at once; a cell tells it by kind.</source>
        <translation>Alles, was das vollste Gerät zugleich hält; eine Zelle sagt es nach Arten.</translation>
    </message>
    <message>
        <source>The most of activations alone on a device.</source>
        <translation>Das Meiste an Aktivierungen allein auf einem Gerät.</translation>
    </message>
    <message>
        <source>Device %1: %2</source>
        <translation>Gerät %1: %2</translation>
    </message>
    <message>
        <source>Losses</source>
        <translation>Loss-Verlauf</translation>
    </message>
</context>
<context>
    <name>pw::ui::ComparingPage</name>
    <message>
        <source>there is nothing to start from</source>
        <translation>es gibt nichts, wovon auszugehen wäre</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>pw::ui::Comparisons</name>
    <message>
        <source>warm-up %1</source>
        <translation>Aufwärmen %1</translation>
    </message>
    <message>
        <source>iteration %1</source>
        <translation>Iteration %1</translation>
    </message>
    <message>
        <source>it is not finished</source>
        <translation>er ist nicht fertig</translation>
    </message>
    <message>
        <source>plan of run %1</source>
        <translation>Plan von Lauf %1</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>vorhergesagt</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>pinned</source>
        <translation>angeheftet</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Offen</translation>
    </message>
    <message>
        <source>Pinned</source>
        <translation>Angeheftet</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>it has no pass</source>
        <translation>er hat keinen Durchlauf</translation>
    </message>
    <message>
        <source>before</source>
        <translation>vorher</translation>
    </message>
    <message>
        <source>equal stages</source>
        <translation>gleiche Stufen</translation>
    </message>
    <message>
        <source>The schedule is not whole.</source>
        <translation>Der Ablaufplan ist nicht vollständig.</translation>
    </message>
    <message>
        <source>No schedule and no run was in front when this page was opened.</source>
        <translation>Als diese Seite geöffnet wurde, war kein Ablaufplan und kein Lauf vorn.</translation>
    </message>
</context>
<context>
    <name>pw::ui::ConnectionTest</name>
    <message>
        <source>no list of backends</source>
        <translation>keine Liste der Backends</translation>
    </message>
    <message>
        <source>Pipewright %1 answers.</source>
        <translation>Pipewright %1 antwortet.</translation>
    </message>
    <message>
        <source>%1 — not available</source>
        <translation>%1 — nicht verfügbar</translation>
    </message>
    <message>
        <source>What answers there is not Pipewright.</source>
        <translation>Was dort antwortet, ist nicht Pipewright.</translation>
    </message>
    <message>
        <source>It wrote: %1</source>
        <translation>Es schrieb: %1</translation>
    </message>
    <message>
        <source>Pipewright %1 answers and speaks wire protocol %2; this studio speaks %3.</source>
        <translation>Pipewright %1 antwortet und spricht Wire-Protokoll %2; dieses Studio spricht %3.</translation>
    </message>
    <message>
        <source>of an older version</source>
        <translation>einer älteren Version</translation>
    </message>
    <message>
        <source>Use the same version of Pipewright at both ends.</source>
        <translation>An beiden Enden dieselbe Version von Pipewright verwenden.</translation>
    </message>
    <message>
        <source>Until then it wrote: %1</source>
        <translation>Bis dahin schrieb es: %1</translation>
    </message>
</context>
<context>
    <name>pw::ui::Connections</name>
    <message>
        <source>a quotation mark of the command line has no partner</source>
        <translation>ein Anführungszeichen der Befehlszeile hat keinen Partner</translation>
    </message>
    <message>
        <source>the command line is empty; it ends with the program, as in ssh node pipewright</source>
        <translation>die Befehlszeile ist leer; sie endet mit dem Programm, wie in ssh node pipewright</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>Dieser Rechner</translation>
    </message>
    <message>
        <source>a connection has no name</source>
        <translation>eine Verbindung hat keinen Namen</translation>
    </message>
    <message>
        <source>two connections are called %1</source>
        <translation>zwei Verbindungen heißen %1</translation>
    </message>
</context>
<context>
    <name>pw::ui::ConnectionsDialog</name>
    <message>
        <source>Connections</source>
        <translation>Verbindungen</translation>
    </message>
    <message>
        <source>&amp;Add</source>
        <translation>&amp;Hinzufügen</translation>
    </message>
    <message>
        <source>Adds PyTorch of this computer as an executor, and asks what it finds</source>
        <translation>Fügt PyTorch dieses Rechners als Executor hinzu und fragt, was es findet</translation>
    </message>
    <message>
        <source>D&amp;uplicate</source>
        <translation>&amp;Duplizieren</translation>
    </message>
    <message>
        <source>&amp;Remove</source>
        <translation>&amp;Entfernen</translation>
    </message>
    <message>
        <source>new node</source>
        <translation>neuer Knoten</translation>
    </message>
    <message>
        <source>&amp;Test</source>
        <translation>&amp;Testen</translation>
    </message>
    <message>
        <source>What the test found</source>
        <translation>Was der Test ergab</translation>
    </message>
    <message>
        <source>The test asks the executor for its version, its backends and its devices, and says what is missing.</source>
        <translation>Der Test fragt den Executor nach Version, Backends und Geräten und sagt, was fehlt.</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
    <message>
        <source>&amp;Command line</source>
        <translation>&amp;Befehlszeile</translation>
    </message>
    <message>
        <source>This computer is always there.</source>
        <translation>Dieser Rechner ist immer da.</translation>
    </message>
    <message>
        <source>The pipewright program beside the studio, else the one on the path.</source>
        <translation>Das Programm pipewright neben dem Studio, sonst das im Pfad.</translation>
    </message>
    <message>
        <source>Ends with the program: ssh node pipewright, mpirun -np 4 pipewright, srun -n 4 pipewright. ssh never asks here (BatchMode): set keys up first, with ssh-keygen and ssh-copy-id.</source>
        <translation>Endet mit dem Programm: ssh node pipewright, mpirun -np 4 pipewright, srun -n 4 pipewright. ssh fragt hier nie (BatchMode): erst Schlüssel einrichten, mit ssh-keygen und ssh-copy-id.</translation>
    </message>
    <message>
        <source>Asking…</source>
        <translation>Wird gefragt …</translation>
    </message>
    <message>
        <source>Pipewright %1 answers.</source>
        <translation>Pipewright %1 antwortet.</translation>
    </message>
    <message>
        <source>It said:</source>
        <translation>Es sagte:</translation>
    </message>
    <message>
        <source>Adds the cluster that this computer sends jobs to, and asks whether it answers</source>
        <translation>Fügt den Cluster hinzu, an den dieser Rechner Jobs schickt, und fragt, ob er antwortet</translation>
    </message>
</context>
<context>
    <name>pw::ui::CostDialog</name>
    <message>
        <source>Apply</source>
        <translation>Anwenden</translation>
    </message>
</context>
<context>
    <name>pw::ui::CostsFields</name>
    <message>
        <source>Forward F</source>
        <translation>Forward F</translation>
    </message>
    <message>
        <source>Of one micro-batch on a device&apos;s whole share of the model</source>
        <translation>Eines Micro-Batches auf dem ganzen Modellanteil eines Geräts</translation>
    </message>
    <message>
        <source>Input &amp;backward B</source>
        <translation>&amp;Eingabe-Backward B</translation>
    </message>
    <message>
        <source>&amp;Weight backward W</source>
        <translation>&amp;Gewichts-Backward W</translation>
    </message>
    <message>
        <source>The unsplit backward BW takes B + W</source>
        <translation>Das ungeteilte Backward BW dauert B + W</translation>
    </message>
    <message>
        <source>Lin&amp;k</source>
        <translation>Le&amp;itung</translation>
    </message>
    <message>
        <source>A message between two devices</source>
        <translation>Eine Nachricht zwischen zwei Geräten</translation>
    </message>
    <message>
        <source>&amp;Activation</source>
        <translation>A&amp;ktivierung</translation>
    </message>
    <message>
        <source>MiB</source>
        <translation>MiB</translation>
    </message>
    <message>
        <source>What one micro-batch keeps on a device&apos;s share of the model</source>
        <translation>Was ein Micro-Batch auf dem Modellanteil eines Geräts hält</translation>
    </message>
    <message>
        <source>More</source>
        <translation>Mehr</translation>
    </message>
    <message>
        <source>Overlapped pairs, updates, and what is kept of an activation</source>
        <translation>Überlappte Paare, Updates und was von einer Aktivierung bleibt</translation>
    </message>
    <message>
        <source>&amp;Overlapped F+BW</source>
        <translation>&amp;Überlapptes F+BW</translation>
    </message>
    <message>
        <source>the sum</source>
        <translation>die Summe</translation>
    </message>
    <message>
        <source>U&amp;pdate U</source>
        <translation>U&amp;pdate U</translation>
    </message>
    <message>
        <source>Kept &amp;until W</source>
        <translation>Bis &amp;W gehalten</translation>
    </message>
    <message>
        <source>Part of an activation that is still held between B and W</source>
        <translation>Teil einer Aktivierung, der zwischen B und W noch gehalten wird</translation>
    </message>
    <message>
        <source>Stash for R</source>
        <translation>Stash für R</translation>
    </message>
    <message>
        <source>Part of an activation that F leaves where an R pass computes it again</source>
        <translation>Teil einer Aktivierung, den F dort lässt, wo ein R-Durchlauf sie neu berechnet</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>Input backward B</source>
        <translation>Eingabe-Backward B</translation>
    </message>
    <message>
        <source>Weight backward W</source>
        <translation>Gewichts-Backward W</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>Aktivierung</translation>
    </message>
    <message>
        <source>Link</source>
        <translation>Leitung</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Memor&amp;y limit</source>
        <translation>&amp;Speichergrenze</translation>
    </message>
    <message>
        <source>GiB</source>
        <translation>GiB</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>Time of F</source>
        <translation>Zeit von F</translation>
    </message>
    <message>
        <source>Time of B</source>
        <translation>Zeit von B</translation>
    </message>
    <message>
        <source>Time of W</source>
        <translation>Zeit von W</translation>
    </message>
    <message>
        <source>Time of a message</source>
        <translation>Zeit einer Nachricht</translation>
    </message>
    <message>
        <source>Time of U</source>
        <translation>Zeit von U</translation>
    </message>
    <message>
        <source>Time of an overlapped pair</source>
        <translation>Zeit eines überlappten Paars</translation>
    </message>
    <message>
        <source>Kept until W</source>
        <translation>Bis W gehalten</translation>
    </message>
    <message>
        <source>Stash</source>
        <translation>Stash</translation>
    </message>
    <message>
        <source>Schedule ▸ Links… changes it</source>
        <translation>Zu ändern unter Ablaufplan ▸ Leitungen…</translation>
    </message>
    <message>
        <source>Memory limit</source>
        <translation>Speichergrenze</translation>
    </message>
    <message>
        <source>mb</source>
        <translation>mb</translation>
    </message>
    <message>
        <source>Of every device, or one number for each with commas between; “4 mb” limits activations, in micro-batches</source>
        <translation>Jedes Geräts, oder eine Zahl für jedes mit Kommas dazwischen; „4 mb“ begrenzt Aktivierungen, in Mikro-Batches</translation>
    </message>
    <message>
        <source>Most activation of every device, in micro-batches: nothing has a size in bytes, or the limit is given so; “2 GiB” limits bytes</source>
        <translation>Höchste Aktivierung jedes Geräts, in Mikro-Batches: Nichts hat eine Größe in Bytes, oder die Grenze ist so angegeben; „2 GiB“ begrenzt Bytes</translation>
    </message>
</context>
<context>
    <name>pw::ui::CurveChart</name>
    <message>
        <source>Sweep</source>
        <translation>Reihe</translation>
    </message>
    <message>
        <source>%1: %2 at %3</source>
        <translation>%1: %2 bei %3</translation>
    </message>
</context>
<context>
    <name>pw::ui::Demo</name>
    <message>
        <source>Design</source>
        <translation>Entwerfen</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Ausführen</translation>
    </message>
    <message>
        <source>Replay</source>
        <translation>Nachspielen</translation>
    </message>
    <message>
        <source>Teach</source>
        <translation>Lehren</translation>
    </message>
    <message>
        <source>GPipe runs all forwards, then all backwards. The curves below show how much each device holds, and how long it is idle.</source>
        <translation>GPipe rechnet alle Vorwärtsschritte, dann alle Rückwärtsschritte. Die Kurven darunter zeigen, wie viel jedes Gerät hält und wie lange es wartet.</translation>
    </message>
    <message>
        <source>1F1B is as fast, and holds half as much. A family is one click; a pass is moved by dragging it, and every curve follows.</source>
        <translation>1F1B ist so schnell und hält halb so viel. Eine Familie ist ein Klick; ein Durchgang wird mit der Maus verschoben, und jede Kurve folgt.</translation>
    </message>
    <message>
        <source>ZB-H1 splits the backward in two, and fills idle time with the part that nobody waits for.</source>
        <translation>ZB-H1 teilt den Rückwärtsschritt in zwei und füllt die Leerzeit mit dem Teil, auf den niemand wartet.</translation>
    </message>
    <message>
        <source>Played, it says what happens, and what every device waits for.</source>
        <translation>Abgespielt sagt er, was geschieht und worauf jedes Gerät wartet.</translation>
    </message>
    <message>
        <source>The same schedule is run: here by emulated devices, on a cluster by GPUs over ssh. Below the plan stands what really happens.</source>
        <translation>Derselbe Plan wird ausgeführt: hier von nachgebildeten Geräten, auf einem Cluster von GPUs über ssh. Unter dem Plan steht, was wirklich geschieht.</translation>
    </message>
    <message>
        <source>Every run is kept: its times beside the plan, where time was lost, and to be compared with others.</source>
        <translation>Jeder Lauf wird aufgehoben: seine Zeiten neben dem Plan, wo Zeit verloren ging, und zum Vergleich mit anderen.</translation>
    </message>
    <message>
        <source>A trace of a training run, of PyTorch, Megatron or Nsight Systems, in full: search it, follow its arrows, ask why a device is idle.</source>
        <translation>Eine Aufzeichnung eines Trainings, von PyTorch, Megatron oder Nsight Systems, ganz: durchsuchen, den Pfeilen folgen, fragen, warum ein Gerät wartet.</translation>
    </message>
    <message>
        <source>Kept as a run it says what it means: the passes of every step, where time was lost, and who waits for whom.</source>
        <translation>Als Lauf aufgehoben sagt sie, was sie bedeutet: die Durchgänge jedes Schritts, wo Zeit verloren ging und wer auf wen wartet.</translation>
    </message>
    <message>
        <source>A course teaches all of it, with levels that are played.</source>
        <translation>Ein Kurs lehrt all das, mit Aufgaben, die gespielt werden.</translation>
    </message>
    <message>
        <source>Passes are placed by hand; goals and figures say at once what that is worth.</source>
        <translation>Durchgänge werden von Hand gelegt; Ziele und Zahlen sagen sofort, was das wert ist.</translation>
    </message>
    <message>
        <source>A training run</source>
        <translation>Ein Trainingslauf</translation>
    </message>
    <message>
        <source>Look around: this window is yours now, and forgets everything when it is closed. The studio itself keeps what you do.</source>
        <translation>Sehen Sie sich um: Dieses Fenster gehört jetzt Ihnen und vergisst alles, wenn es geschlossen wird. Das Studio selbst behält, was Sie tun.</translation>
    </message>
</context>
<context>
    <name>pw::ui::DemoBar</name>
    <message>
        <source>&amp;Next</source>
        <translation>&amp;Weiter</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>&amp;Anhalten</translation>
    </message>
    <message>
        <source>Start the &amp;studio</source>
        <translation>Das &amp;Studio starten</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>&amp;Schließen</translation>
    </message>
    <message>
        <source>%1 of %2 · %3</source>
        <translation>%1 von %2 · %3</translation>
    </message>
    <message>
        <source>The demonstration is over</source>
        <translation>Die Vorführung ist vorbei</translation>
    </message>
</context>
<context>
    <name>pw::ui::DragController</name>
    <message>
        <source>±0</source>
        <translation>±0</translation>
    </message>
    <message>
        <source>Move micro-batch %1</source>
        <translation>Micro-Batch %1 verschieben</translation>
    </message>
    <message>
        <source>Move %1</source>
        <translation>%1 verschieben</translation>
    </message>
    <message>
        <source>makespan %1 (%2)</source>
        <translation>Gesamtdauer %1 (%2)</translation>
    </message>
    <message>
        <source>%1
Breaks a rule: %2</source>
        <translation>%1
Bricht eine Regel: %2</translation>
    </message>
    <message>
        <source>No pass is selected that could be moved.</source>
        <translation>Kein verschiebbarer Durchlauf ist gewählt.</translation>
    </message>
    <message>
        <source>Nothing comes after it on its device.</source>
        <translation>Danach kommt nichts mehr auf seinem Gerät.</translation>
    </message>
    <message>
        <source>Nothing comes before it on its device.</source>
        <translation>Davor kommt nichts auf seinem Gerät.</translation>
    </message>
    <message>
        <source>Select a pass; then its whole micro-batch can be selected.</source>
        <translation>Einen Durchlauf wählen; dann lässt sich sein ganzer Micro-Batch wählen.</translation>
    </message>
    <message>
        <source>An optimizer update belongs to no micro-batch.</source>
        <translation>Ein Optimierer-Update gehört zu keinem Micro-Batch.</translation>
    </message>
    <message>
        <source>deadlock: no makespan</source>
        <translation>Deadlock: keine Gesamtdauer</translation>
    </message>
    <message>
        <source>makespan %1</source>
        <translation>Gesamtdauer %1</translation>
    </message>
</context>
<context>
    <name>pw::ui::EmptyNote</name>
    <message>
        <source>&lt;p&gt;&lt;b&gt;Drag something from the palette onto the lanes&lt;/b&gt;&lt;/p&gt;&lt;p&gt;a family fills the whole timeline,&lt;br&gt;a building block is repeated for the next micro-batches,&lt;br&gt;a pass goes where you drop it.&lt;/p&gt;&lt;p&gt;Or press Ctrl+K, type a name, and Enter.&lt;/p&gt;</source>
        <translation>&lt;p&gt;&lt;b&gt;Etwas aus der Palette auf die Spuren ziehen&lt;/b&gt;&lt;/p&gt;&lt;p&gt;eine Familie füllt die ganze Zeitleiste,&lt;br&gt;ein Baustein wird für die nächsten Micro-Batches wiederholt,&lt;br&gt;ein Durchlauf landet, wo er abgelegt wird.&lt;/p&gt;&lt;p&gt;Oder Strg+K, einen Namen und Enter.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&lt;p&gt;&lt;b&gt;Choose a schedule&lt;/b&gt;&lt;/p&gt;&lt;p&gt;The lesson has a list of those of this level.&lt;/p&gt;</source>
        <translation>&lt;p&gt;&lt;b&gt;Einen Ablaufplan wählen&lt;/b&gt;&lt;/p&gt;&lt;p&gt;Die Lektion hat eine Liste derer dieses Levels.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&lt;p&gt;&lt;b&gt;This level is about one building block&lt;/b&gt;&lt;/p&gt;&lt;p&gt;It is on the bench: press “Open the block on the bench” in the lesson.&lt;/p&gt;</source>
        <translation>&lt;p&gt;&lt;b&gt;In diesem Level geht es um einen Baustein&lt;/b&gt;&lt;/p&gt;&lt;p&gt;Er liegt auf der Werkbank: in der Lektion „Baustein auf der Werkbank öffnen“ drücken.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>&lt;p&gt;&lt;b&gt;Drag a pass from the palette onto a device&lt;/b&gt;&lt;/p&gt;&lt;p&gt;or double-click the pale blocks:&lt;br&gt;“Show what is ready” in the lesson brings them.&lt;/p&gt;</source>
        <translation>&lt;p&gt;&lt;b&gt;Einen Durchlauf aus der Palette auf ein Gerät ziehen&lt;/b&gt;&lt;/p&gt;&lt;p&gt;oder die blassen Blöcke doppelklicken:&lt;br&gt;„Zeigen, was bereit ist“ in der Lektion bringt sie.&lt;/p&gt;</translation>
    </message>
</context>
<context>
    <name>pw::ui::ExecutorWorker</name>
    <message>
        <source>Pipewright %1, backend %2</source>
        <translation>Pipewright %1, Backend %2</translation>
    </message>
    <message>
        <source>The executor says that it has %1 ranks; a run has at most %2.</source>
        <translation>Der Executor meldet %1 Ränge; ein Lauf hat höchstens %2.</translation>
    </message>
    <message>
        <source>the run began a second time</source>
        <translation>der Lauf begann ein zweites Mal</translation>
    </message>
    <message>
        <source>the run goes on, but is not kept: </source>
        <translation>der Lauf geht weiter, wird aber nicht aufbewahrt: </translation>
    </message>
    <message>
        <source>a record of a rank that the run does not have</source>
        <translation>ein Datensatz eines Rangs, den der Lauf nicht hat</translation>
    </message>
    <message>
        <source>rank %1: </source>
        <translation>Rang %1: </translation>
    </message>
    <message>
        <source>the run ended a second time</source>
        <translation>der Lauf endete ein zweites Mal</translation>
    </message>
    <message>
        <source>the run ended as one that runs</source>
        <translation>der Lauf endete als laufender</translation>
    </message>
    <message>
        <source>a makespan below 0</source>
        <translation>eine Gesamtdauer unter 0</translation>
    </message>
    <message>
        <source>line %1 of its output is not understood: %2</source>
        <translation>Zeile %1 seiner Ausgabe ist unverständlich: %2</translation>
    </message>
    <message>
        <source>its output is not understood: %1</source>
        <translation>seine Ausgabe ist unverständlich: %1</translation>
    </message>
    <message>
        <source>Asked to stop.</source>
        <translation>Zum Anhalten aufgefordert.</translation>
    </message>
    <message>
        <source>What answers there is not Pipewright.</source>
        <translation>Was dort antwortet, ist nicht Pipewright.</translation>
    </message>
    <message>
        <source>The command line of the connection has to end with the pipewright program.</source>
        <translation>Die Befehlszeile der Verbindung muss mit dem Programm pipewright enden.</translation>
    </message>
    <message>
        <source>The run failed.</source>
        <translation>Der Lauf ist gescheitert.</translation>
    </message>
    <message>
        <source>It ended without a word of the wire.</source>
        <translation>Es endete ohne ein Wort des Wire-Protokolls.</translation>
    </message>
    <message>
        <source>The executor ended before its run did.</source>
        <translation>Der Executor endete vor seinem Lauf.</translation>
    </message>
</context>
<context>
    <name>pw::ui::ExplainPanel</name>
    <message>
        <source>Makespan</source>
        <translation>Gesamtdauer</translation>
    </message>
    <message>
        <source>Idle time</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Select a pass or click idle time in a lane, or ask for a chart.</source>
        <translation>Einen Durchlauf wählen, Leerlauf in einer Spur anklicken oder nach einem Diagramm fragen.</translation>
    </message>
    <message>
        <source>Explain</source>
        <translation>Erklären</translation>
    </message>
</context>
<context>
    <name>pw::ui::ExportDialog</name>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>Numbers</source>
        <translation>Kennzahlen</translation>
    </message>
    <message>
        <source>Legend</source>
        <translation>Legende</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Bubbles</source>
        <translation>Bubbles</translation>
    </message>
    <message>
        <source>&amp;Export…</source>
        <translation>&amp;Exportieren…</translation>
    </message>
    <message>
        <source>&amp;Copy picture</source>
        <translation>Bild &amp;kopieren</translation>
    </message>
    <message>
        <source>Export figure</source>
        <translation>Abbildung exportieren</translation>
    </message>
    <message>
        <source>SVG, for the web and drawing programs</source>
        <translation>SVG, für das Web und Zeichenprogramme</translation>
    </message>
    <message>
        <source>PDF, for papers</source>
        <translation>PDF, für Veröffentlichungen</translation>
    </message>
    <message>
        <source>PNG, a picture of pixels</source>
        <translation>PNG, ein Bild aus Pixeln</translation>
    </message>
    <message>
        <source>Paper: white, 8 pt, with patterns</source>
        <translation>Papier: weiß, 8 pt, mit Mustern</translation>
    </message>
    <message>
        <source>Screen, light</source>
        <translation>Bildschirm, hell</translation>
    </message>
    <message>
        <source>Screen, dark</source>
        <translation>Bildschirm, dunkel</translation>
    </message>
    <message>
        <source>One column, 84 mm</source>
        <translation>Eine Spalte, 84 mm</translation>
    </message>
    <message>
        <source>Two columns, 178 mm</source>
        <translation>Zwei Spalten, 178 mm</translation>
    </message>
    <message>
        <source>Slide, 254 mm</source>
        <translation>Folie, 254 mm</translation>
    </message>
    <message>
        <source>Own width</source>
        <translation>Eigene Breite</translation>
    </message>
    <message>
        <source> mm</source>
        <translation> mm</translation>
    </message>
    <message>
        <source> dpi</source>
        <translation> dpi</translation>
    </message>
    <message>
        <source>&amp;Format</source>
        <translation>&amp;Format</translation>
    </message>
    <message>
        <source>&amp;Style</source>
        <translation>&amp;Stil</translation>
    </message>
    <message>
        <source>Si&amp;ze</source>
        <translation>&amp;Größe</translation>
    </message>
    <message>
        <source>&amp;Width</source>
        <translation>&amp;Breite</translation>
    </message>
    <message>
        <source>&amp;Resolution</source>
        <translation>&amp;Auflösung</translation>
    </message>
    <message>
        <source>Shown</source>
        <translation>Gezeigt</translation>
    </message>
    <message>
        <source>Preview</source>
        <translation>Vorschau</translation>
    </message>
    <message>
        <source>%1 × %2 mm</source>
        <translation>%1 × %2 mm</translation>
    </message>
    <message>
        <source>, %1 × %2 pixels</source>
        <translation>, %1 × %2 Pixel</translation>
    </message>
    <message>
        <source>Figures (*.svg *.pdf *.png)</source>
        <translation>Abbildungen (*.svg *.pdf *.png)</translation>
    </message>
    <message>
        <source>The name %1 tells no format; it ends in .svg, .pdf or .png.</source>
        <translation>Der Name %1 nennt kein Format; er endet auf .svg, .pdf oder .png.</translation>
    </message>
    <message>
        <source>Writing %1 …</source>
        <translation>%1 wird geschrieben …</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>Kopiert.</translation>
    </message>
    <message>
        <source>Annotations</source>
        <translation>Anmerkungen</translation>
    </message>
</context>
<context>
    <name>pw::ui::FetchedRank</name>
    <message>
        <source>%1, the trace of rank %2, is not on this computer; it was on %3. Choose a connection to it in the bar of runs.</source>
        <translation>%1, die Aufzeichnung von Rang %2, liegt nicht auf diesem Rechner, sondern lag auf %3. Wähle in der Leiste der Läufe eine Verbindung dorthin.</translation>
    </message>
</context>
<context>
    <name>pw::ui::FieldChart</name>
    <message>
        <source>%1: %2, %3 mb</source>
        <translation>%1: %2, %3 mb</translation>
    </message>
    <message>
        <source>Everyone: time and memory</source>
        <translation>Alle: Zeit und Speicher</translation>
    </message>
    <message>
        <source>Everyone</source>
        <translation>Alle</translation>
    </message>
    <message>
        <source>↑ peak, micro-batches</source>
        <translation>↑ Spitze, Micro-Batches</translation>
    </message>
    <message>
        <source>makespan →</source>
        <translation>Gesamtdauer →</translation>
    </message>
    <message>
        <source>you</source>
        <translation>eigene Lösung</translation>
    </message>
</context>
<context>
    <name>pw::ui::FieldForm</name>
    <message>
        <source>GiB</source>
        <translation>GiB</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
</context>
<context>
    <name>pw::ui::FigureTable</name>
    <message>
        <source>open</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>Ctrl+C copies the chosen rows, or all.</source>
        <translation>Strg+C kopiert die gewählten Zeilen, oder alle.</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>wall time</source>
        <translation>Laufzeit</translation>
    </message>
    <message>
        <source>Lost time of each rank by cause</source>
        <translation>Verlorene Zeit jedes Rangs nach Ursache</translation>
    </message>
    <message>
        <source>all</source>
        <translation>alle</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>Waiting</source>
        <translation>Warten</translation>
    </message>
    <message>
        <source>Transfer</source>
        <translation>Übertragung</translation>
    </message>
    <message>
        <source>After</source>
        <translation>Danach</translation>
    </message>
    <message>
        <source>Communication</source>
        <translation>Kommunikation</translation>
    </message>
    <message>
        <source>Exposed</source>
        <translation>Sichtbar</translation>
    </message>
    <message>
        <source>Hidden</source>
        <translation>Verdeckt</translation>
    </message>
    <message>
        <source>Messages of each rank</source>
        <translation>Nachrichten jedes Rangs</translation>
    </message>
    <message>
        <source>Sums over the messages, until the later side was there.</source>
        <translation>Summen über die Nachrichten, bis die spätere Seite da war.</translation>
    </message>
    <message>
        <source>Sums over the messages, while both sides were there.</source>
        <translation>Summen über die Nachrichten, während beide Seiten da waren.</translation>
    </message>
    <message>
        <source>Sums over the messages, behind the end of the other side.</source>
        <translation>Summen über die Nachrichten, nach dem Ende der anderen Seite.</translation>
    </message>
    <message>
        <source>Time with at least one transfer under way; messages at once count once.</source>
        <translation>Zeit mit mindestens einer laufenden Übertragung; gleichzeitige Nachrichten zählen einmal.</translation>
    </message>
    <message>
        <source>Of that, without a pass on the rank.</source>
        <translation>Davon ohne einen Durchlauf auf dem Rang.</translation>
    </message>
    <message>
        <source>Of that, behind a pass of the rank.</source>
        <translation>Davon hinter einem Durchlauf des Rangs.</translation>
    </message>
    <message>
        <source>. All times are shown as shifted.</source>
        <translation>. Alle Zeiten sind verschoben gezeigt.</translation>
    </message>
    <message>
        <source>Shift at its first time</source>
        <translation>Verschiebung am Anfang</translation>
    </message>
    <message>
        <source>Can be</source>
        <translation>Möglich</translation>
    </message>
    <message>
        <source>Shift at its last time</source>
        <translation>Verschiebung am Ende</translation>
    </message>
    <message>
        <source>Drift, ppm</source>
        <translation>Drift, ppm</translation>
    </message>
    <message>
        <source>Clocks of the ranks</source>
        <translation>Uhren der Ränge</translation>
    </message>
</context>
<context>
    <name>pw::ui::FindBar</name>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>F3, BW2.1, mb 3, stage 2, device 1</source>
        <translation>F3, BW2.1, mb 3, stage 2, device 1</translation>
    </message>
    <message>
        <source>Find passes</source>
        <translation>Durchläufe suchen</translation>
    </message>
    <message>
        <source>Previous hit (Shift+Enter)</source>
        <translation>Voriger Treffer (Umschalt+Enter)</translation>
    </message>
    <message>
        <source>Next hit (Enter)</source>
        <translation>Nächster Treffer (Enter)</translation>
    </message>
    <message>
        <source>Close (Esc)</source>
        <translation>Schließen (Esc)</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>%1 so far…</source>
        <translation>%1 bisher …</translation>
    </message>
    <message>
        <source>no pass</source>
        <translation>kein Durchlauf</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>pw::ui::FoundBar</name>
    <message>
        <source>The order of the %1 passes that are labelled is not complete (%2), so the trace is shown as it was recorded.</source>
        <translation>Die Reihenfolge der %1 benannten Durchläufe ist nicht vollständig (%2), darum wird der Trace gezeigt, wie er aufgezeichnet wurde.</translation>
    </message>
    <message>
        <source>Looking for passes…</source>
        <translation>Durchläufe werden gesucht …</translation>
    </message>
    <message>
        <source>Names and rules…</source>
        <translation>Namen und Regeln…</translation>
    </message>
    <message>
        <source>What was found in the trace: ranks, warnings, repairs, its names, and the rules that say which of them are passes.</source>
        <translation>Was im Trace gefunden wurde: Ränge, Warnungen, Reparaturen, seine Namen und die Regeln, die sagen, welche davon Durchläufe sind.</translation>
    </message>
    <message>
        <source>Hide this line</source>
        <translation>Diese Zeile ausblenden</translation>
    </message>
    <message>
        <source>Passes…</source>
        <translation>Durchläufe…</translation>
    </message>
    <message>
        <source>None is proposed: drag over a stretch and paint it.</source>
        <translation>Keiner wird vorgeschlagen: über einen Abschnitt ziehen und ihn malen.</translation>
    </message>
    <message>
        <source>Mended places of its files: %1.</source>
        <translation>Reparierte Stellen seiner Dateien: %1.</translation>
    </message>
    <message>
        <source>Warnings: %1.</source>
        <translation>Warnungen: %1.</translation>
    </message>
    <message>
        <source>Proposed: %1</source>
        <translation>Vorgeschlagen: %1</translation>
    </message>
    <message>
        <source>A log of a training tells sums over iterations and no single pass: %1.</source>
        <translation>Das Log eines Trainings nennt Summen über Iterationen und keinen einzelnen Durchlauf: %1.</translation>
    </message>
    <message>
        <source>No pass is labelled in this trace: it is shown as it was recorded. Passes can be proposed, painted over a stretch, or read from its names by a rule. The line import pipewright_torch.labels in the training program labels them.</source>
        <translation>In diesem Trace ist kein Durchlauf benannt: Er wird gezeigt, wie er aufgezeichnet wurde. Durchläufe lassen sich vorschlagen, über einen Abschnitt malen oder durch eine Regel aus seinen Namen lesen. Die Zeile import pipewright_torch.labels im Trainingsprogramm benennt sie.</translation>
    </message>
</context>
<context>
    <name>pw::ui::GapBar</name>
    <message>
        <source>Bound, this order, and the order given</source>
        <translation>Schranke, diese und die gegebene Reihenfolge</translation>
    </message>
    <message>
        <source>bound %1, now %2, given %3</source>
        <translation>Schranke %1, jetzt %2, gegeben %3</translation>
    </message>
    <message>
        <source>bound %1</source>
        <translation>Schranke %1</translation>
    </message>
    <message>
        <source>bound: not known yet</source>
        <translation>Schranke: noch unbekannt</translation>
    </message>
    <message>
        <source>given %1</source>
        <translation>gegeben %1</translation>
    </message>
</context>
<context>
    <name>pw::ui::GuessBars</name>
    <message>
        <source>your guess</source>
        <translation>deine Vermutung</translation>
    </message>
    <message>
        <source>it is</source>
        <translation>so ist es</translation>
    </message>
</context>
<context>
    <name>pw::ui::HeatChoice</name>
    <message>
        <source>&amp;Colour</source>
        <translation>Fa&amp;rbe</translation>
    </message>
    <message>
        <source>How much later a pass ends</source>
        <translation>Wie viel später ein Durchlauf endet</translation>
    </message>
    <message>
        <source>How much longer a pass takes</source>
        <translation>Wie viel länger ein Durchlauf dauert</translation>
    </message>
    <message>
        <source>Kind of pass</source>
        <translation>Art des Durchlaufs</translation>
    </message>
    <message>
        <source>shorter</source>
        <translation>kürzer</translation>
    </message>
    <message>
        <source>sooner</source>
        <translation>früher</translation>
    </message>
    <message>
        <source>longer</source>
        <translation>länger</translation>
    </message>
    <message>
        <source>later</source>
        <translation>später</translation>
    </message>
</context>
<context>
    <name>pw::ui::HeatLegend</name>
    <message>
        <source>Colours from %1 to %2</source>
        <translation>Farben von %1 bis %2</translation>
    </message>
</context>
<context>
    <name>pw::ui::HeldView</name>
    <message>
        <source>Drop the trace of the changed training here.</source>
        <translation>Den Trace des geänderten Trainings hier ablegen.</translation>
    </message>
    <message>
        <source>did it hold?</source>
        <translation>hat es gehalten?</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>gain</source>
        <translation>Gewinn</translation>
    </message>
    <message>
        <source>Before, promised, after</source>
        <translation>Vorher, versprochen, nachher</translation>
    </message>
    <message>
        <source>before</source>
        <translation>vorher</translation>
    </message>
    <message>
        <source>promised</source>
        <translation>versprochen</translation>
    </message>
    <message>
        <source>after</source>
        <translation>nachher</translation>
    </message>
    <message>
        <source>off: passes</source>
        <translation>Abstand: Durchläufe</translation>
    </message>
    <message>
        <source>off: messages</source>
        <translation>Abstand: Nachrichten</translation>
    </message>
    <message>
        <source>off: the rest</source>
        <translation>Abstand: der Rest</translation>
    </message>
</context>
<context>
    <name>pw::ui::ImportDialog</name>
    <message>
        <source>Import trace: %1</source>
        <translation>Trace importieren: %1</translation>
    </message>
    <message>
        <source>&amp;Keep and open</source>
        <translation>&amp;Behalten und öffnen</translation>
    </message>
    <message>
        <source>Keeps the passes as a run and opens it as a timeline.</source>
        <translation>Behält die Durchläufe als Lauf und öffnet ihn als Zeitleiste.</translation>
    </message>
    <message>
        <source>&amp;Plan from this trace</source>
        <translation>&amp;Plan aus diesem Trace</translation>
    </message>
    <message>
        <source>Opens the order of the trace with costs fitted to it as a schedule that can be changed.</source>
        <translation>Öffnet die Reihenfolge des Trace mit angepassten Kosten als änderbaren Ablaufplan.</translation>
    </message>
    <message>
        <source>Show &amp;everything</source>
        <translation>&amp;Alles zeigen</translation>
    </message>
    <message>
        <source>Opens all kernels, operators and ranges of the trace as rows, whether or not passes are among them.</source>
        <translation>Öffnet alle Kernel, Operatoren und Bereiche des Trace als Zeilen, ob Durchläufe darunter sind oder nicht.</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>Progress</source>
        <translation>Fortschritt</translation>
    </message>
    <message>
        <source>Finding the pipeline…</source>
        <translation>Die Pipeline wird gesucht …</translation>
    </message>
    <message>
        <source>Reading %1…</source>
        <translation>%1 wird gelesen …</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Reading file %1 of %2: %3</source>
        <translation>Datei %1 von %2 wird gelesen: %3</translation>
    </message>
    <message>
        <source>Reading %1</source>
        <translation>%1 wird gelesen</translation>
    </message>
    <message>
        <source>&amp;Title</source>
        <translation>&amp;Titel</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>It cannot be imported: %1</source>
        <translation>Es lässt sich nicht importieren: %1</translation>
    </message>
    <message>
        <source>Show the &amp;job</source>
        <translation>&amp;Job zeigen</translation>
    </message>
    <message>
        <source>Opens replicas, stages and steps beside each other: who is slow, why, and what repairs would gain.</source>
        <translation>Öffnet Replikate, Stufen und Schritte nebeneinander: wer langsam ist, warum, und was Reparaturen brächten.</translation>
    </message>
    <message>
        <source>Run of the file</source>
        <translation>Lauf der Datei</translation>
    </message>
    <message>
        <source>The file holds several whole runs, each with every pass.</source>
        <translation>Die Datei enthält mehrere ganze Läufe, jeden mit allen Durchläufen.</translation>
    </message>
    <message>
        <source>Run %1 of %2</source>
        <translation>Lauf %1 von %2</translation>
    </message>
</context>
<context>
    <name>pw::ui::ImportPreview</name>
    <message>
        <source>%1 of %2 %3</source>
        <translation>%1 von %2 %3</translation>
    </message>
    <message>
        <source> (hatched in the timeline)</source>
        <translation> (schraffiert in der Zeitleiste)</translation>
    </message>
    <message>
        <source>%1 chunks a device</source>
        <translation>%1 Chunks je Gerät</translation>
    </message>
    <message>
        <source>B and W</source>
        <translation>B und W</translation>
    </message>
    <message>
        <source>BW</source>
        <translation>BW</translation>
    </message>
    <message>
        <source>unknown</source>
        <translation>unbekannt</translation>
    </message>
    <message>
        <source>%1, %2 of %3 entries out of order</source>
        <translation>%1, %2 von %3 Einträgen außer der Reihe</translation>
    </message>
    <message>
        <source>Warnings</source>
        <translation>Warnungen</translation>
    </message>
    <message>
        <source>Unknown</source>
        <translation>Unbekannt</translation>
    </message>
    <message>
        <source>How it was found</source>
        <translation>Wie gefunden</translation>
    </message>
    <message>
        <source>Names and rules</source>
        <translation>Namen und Regeln</translation>
    </message>
    <message>
        <source>No run and no plan can be made of it: %1. Everything in it can be shown as rows of a timeline.</source>
        <translation>Weder Lauf noch Plan lassen sich daraus machen: %1. Alles darin lässt sich als Zeilen einer Zeitleiste zeigen.</translation>
    </message>
    <message>
        <source>%1, %2, %3 events, %4 spans</source>
        <translation>%1, %2, %3 Ereignisse, %4 Spannen</translation>
    </message>
    <message>
        <source>, %1 left out</source>
        <translation>, %1 ausgelassen</translation>
    </message>
    <message>
        <source>Trace</source>
        <translation>Trace</translation>
    </message>
    <message>
        <source>Family</source>
        <translation>Familie</translation>
    </message>
    <message>
        <source>Same order</source>
        <translation>Gleiche Reihenfolge</translation>
    </message>
    <message>
        <source>Shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>Passes</source>
        <translation>Durchläufe</translation>
    </message>
    <message>
        <source>%1 in %2; shown is iteration %3</source>
        <translation>%1 in %2; gezeigt ist Iteration %3</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>Zeiten</translation>
    </message>
    <message>
        <source>Makespan</source>
        <translation>Gesamtdauer</translation>
    </message>
    <message>
        <source>Clocks</source>
        <translation>Uhren</translation>
    </message>
    <message>
        <source>%1 of %2 dependencies are impossible by the times: the clocks of the ranks do not agree</source>
        <translation>%1 von %2 Abhängigkeiten sind nach den Zeiten unmöglich: Die Uhren der Ränge stimmen nicht überein</translation>
    </message>
    <message>
        <source>Costs</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>fitted; with them the same order takes %1 (%2)</source>
        <translation>angepasst; damit dauert dieselbe Reihenfolge %1 (%2)</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>First start</source>
        <translation>Erster Beginn</translation>
    </message>
    <message>
        <source>Last end</source>
        <translation>Letztes Ende</translation>
    </message>
    <message>
        <source>Busy</source>
        <translation>Beschäftigt</translation>
    </message>
    <message>
        <source>Idle</source>
        <translation>Leerlauf</translation>
    </message>
    <message>
        <source>Peak chunks</source>
        <translation>Chunks, Spitze</translation>
    </message>
    <message>
        <source>Number from</source>
        <translation>Nummer aus</translation>
    </message>
    <message>
        <source>?</source>
        <translation>?</translation>
    </message>
    <message>
        <source>Ranks</source>
        <translation>Ränge</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>Durchlauf</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Segment</source>
        <translation>Segment</translation>
    </message>
    <message>
        <source>Median</source>
        <translation>Median</translation>
    </message>
    <message>
        <source>Lower quartile</source>
        <translation>Unteres Quartil</translation>
    </message>
    <message>
        <source>Upper quartile</source>
        <translation>Oberes Quartil</translation>
    </message>
    <message>
        <source>Count</source>
        <translation>Anzahl</translation>
    </message>
    <message>
        <source>pair</source>
        <translation>Paar</translation>
    </message>
    <message>
        <source>Lost time</source>
        <translation>Verlorene Zeit</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>Byte</source>
        <translation>Byte</translation>
    </message>
    <message>
        <source>What was mended</source>
        <translation>Was repariert wurde</translation>
    </message>
    <message>
        <source>File</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>Repairs</source>
        <translation>Reparaturen</translation>
    </message>
    <message>
        <source>What the log says</source>
        <translation>Was das Log sagt</translation>
    </message>
    <message>
        <source>From iteration to iteration</source>
        <translation>Von Iteration zu Iteration</translation>
    </message>
    <message>
        <source>The job</source>
        <translation>Der Job</translation>
    </message>
</context>
<context>
    <name>pw::ui::ImprovePanel</name>
    <message>
        <source>s</source>
        <translation>s</translation>
    </message>
    <message>
        <source>A proven optimum ends the search sooner.</source>
        <translation>Ein bewiesenes Optimum beendet die Suche früher.</translation>
    </message>
    <message>
        <source>makespan</source>
        <translation>Gesamtdauer</translation>
    </message>
    <message>
        <source>longest span</source>
        <translation>längste Spanne</translation>
    </message>
    <message>
        <source>The time from first start to last end, or that of the busiest device alone.</source>
        <translation>Die Zeit vom ersten Start bis zum letzten Ende, oder nur die des am längsten belegten Geräts.</translation>
    </message>
    <message>
        <source>Back&amp;ward</source>
        <translation>Back&amp;ward</translation>
    </message>
    <message>
        <source>any form</source>
        <translation>beliebig</translation>
    </message>
    <message>
        <source>as it is</source>
        <translation>unverändert</translation>
    </message>
    <message>
        <source>B and W</source>
        <translation>B und W</translation>
    </message>
    <message>
        <source>one BW</source>
        <translation>ein BW</translation>
    </message>
    <message>
        <source>Whether BW may be split into B and W, or both put together.</source>
        <translation>Ob BW in B und W geteilt oder beides zusammengelegt werden darf.</translation>
    </message>
    <message>
        <source>after</source>
        <translation>nach</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>saved</source>
        <translation>gespart</translation>
    </message>
    <message>
        <source>what moved</source>
        <translation>was sich verschob</translation>
    </message>
    <message>
        <source>Steps of the search</source>
        <translation>Schritte der Suche</translation>
    </message>
    <message>
        <source>Stopping …</source>
        <translation>Wird angehalten …</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Improve</source>
        <translation>Verbessern</translation>
    </message>
    <message>
        <source>Ends the search; what was found stays, each step can be undone.</source>
        <translation>Beendet die Suche; Gefundenes bleibt, jeder Schritt lässt sich rückgängig machen.</translation>
    </message>
    <message>
        <source>Looks for a shorter order of the same passes.</source>
        <translation>Sucht eine kürzere Reihenfolge derselben Durchläufe.</translation>
    </message>
    <message>
        <source>Looks for a shorter order of the open schedule&apos;s passes, within its memory. Each better order is shown at once and is a step of the history.</source>
        <translation>Sucht eine kürzere Reihenfolge der Durchläufe des offenen Ablaufplans, innerhalb seines Speichers. Jede bessere wird sofort gezeigt und ist ein Schritt des Verlaufs.</translation>
    </message>
    <message>
        <source>Makespan</source>
        <translation>Gesamtdauer</translation>
    </message>
    <message>
        <source>Longest span</source>
        <translation>Längste Spanne</translation>
    </message>
    <message>
        <source>the order given needs more than the memory</source>
        <translation>die gegebene Reihenfolge braucht mehr als den Speicher</translation>
    </message>
    <message>
        <source>Lower bound</source>
        <translation>Untere Schranke</translation>
    </message>
    <message>
        <source>met</source>
        <translation>erreicht</translation>
    </message>
    <message>
        <source>gap %1</source>
        <translation>Lücke %1</translation>
    </message>
    <message>
        <source>not known yet</source>
        <translation>noch unbekannt</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>Stopping: the best so far is taken over.</source>
        <translation>Wird angehalten: die bisher beste wird übernommen.</translation>
    </message>
    <message>
        <source>Searching. Nothing shorter yet.</source>
        <translation>Suche läuft. Noch nichts Kürzeres.</translation>
    </message>
    <message>
        <source>Searching. The order %1.</source>
        <translation>Suche läuft. Reihenfolge: %1.</translation>
    </message>
    <message>
        <source>The order %1.</source>
        <translation>Reihenfolge: %1.</translation>
    </message>
    <message>
        <source> s</source>
        <translation> s</translation>
    </message>
    <message>
        <source>Search for</source>
        <translation>Suchzeit</translation>
    </message>
    <message>
        <source>Shorten</source>
        <translation>Verkürzen</translation>
    </message>
    <message>
        <source>T&amp;o the host</source>
        <translation>Z&amp;um Host</translation>
    </message>
    <message>
        <source>what goes now</source>
        <translation>was jetzt geht</translation>
    </message>
    <message>
        <source>chosen, too</source>
        <translation>mit ausgewählt</translation>
    </message>
    <message>
        <source>Whether the search also chooses which activations go to the host&apos;s memory. Their copies count in any case.</source>
        <translation>Ob die Suche auch auswählt, welche Aktivierungen in den Speicher des Hosts gehen. Ihre Kopien zählen in jedem Fall.</translation>
    </message>
    <message>
        <source>of the longest span</source>
        <translation>der längsten Spanne</translation>
    </message>
    <message>
        <source>of orders with the backwards as they are</source>
        <translation>von Ordnungen mit den Backwards, wie sie sind</translation>
    </message>
    <message>
        <source>of orders with B and W</source>
        <translation>von Ordnungen mit B und W</translation>
    </message>
    <message>
        <source>of orders with one BW</source>
        <translation>von Ordnungen mit einem BW</translation>
    </message>
    <message>
        <source>whatever goes to the host</source>
        <translation>was auch immer zum Host geht</translation>
    </message>
    <message>
        <source>%1 is being improved, in its own tab.</source>
        <translation>%1 wird verbessert, in ihrem eigenen Reiter.</translation>
    </message>
</context>
<context>
    <name>pw::ui::ImprovePart</name>
    <message>
        <source>Better orders are searched for an open schedule: open a row, and ask for its alternatives.</source>
        <translation>Bessere Ordnungen werden für einen offenen Ablaufplan gesucht: Öffnen Sie eine Zeile und fragen Sie nach ihren Alternativen.</translation>
    </message>
    <message>
        <source>found after %1 s</source>
        <translation>gefunden nach %1 s</translation>
    </message>
</context>
<context>
    <name>pw::ui::Improver</name>
    <message>
        <source>at most %1 a device</source>
        <translation>höchstens %1 je Gerät</translation>
    </message>
    <message>
        <source>%1 a device, what it held</source>
        <translation>%1 je Gerät, wie bisher gehalten</translation>
    </message>
    <message>
        <source>No schedule is open.</source>
        <translation>Kein Ablaufplan ist offen.</translation>
    </message>
    <message>
        <source>%1 is being computed.</source>
        <translation>%1 wird berechnet.</translation>
    </message>
    <message>
        <source>The schedule is empty.</source>
        <translation>Der Ablaufplan ist leer.</translation>
    </message>
    <message>
        <source>The schedule is not whole: %1.</source>
        <translation>Der Ablaufplan ist nicht vollständig: %1.</translation>
    </message>
    <message>
        <source>%1 is being improved: stop that first.</source>
        <translation>%1 wird verbessert: das zuerst anhalten.</translation>
    </message>
    <message>
        <source>A schedule</source>
        <translation>Ein Ablaufplan</translation>
    </message>
    <message>
        <source>Improve to %1</source>
        <translation>Auf %1 verbessern</translation>
    </message>
    <message>
        <source>%1, within the memory.</source>
        <translation>%1, innerhalb des Speichers.</translation>
    </message>
    <message>
        <source>%1 shorter: %2.</source>
        <translation>%1 kürzer: %2.</translation>
    </message>
    <message>
        <source>No shorter order was found.</source>
        <translation>Keine kürzere Reihenfolge gefunden.</translation>
    </message>
    <message>
        <source> Nothing is better, that is proven.</source>
        <translation> Besser geht es nicht, das ist bewiesen.</translation>
    </message>
    <message>
        <source> At most %1 are left above the bound of %2.</source>
        <translation> Über der Schranke von %2 bleiben höchstens %1.</translation>
    </message>
    <message>
        <source>The schedule was changed meanwhile: the search has ended, what it found stays in the history.</source>
        <translation>Der Ablaufplan wurde inzwischen geändert: die Suche ist beendet, Gefundenes bleibt im Verlauf.</translation>
    </message>
</context>
<context>
    <name>pw::ui::InspectorPanel</name>
    <message>
        <source>Selected pass</source>
        <translation>Gewählter Durchlauf</translation>
    </message>
    <message>
        <source>Against</source>
        <translation>Gegenüber</translation>
    </message>
    <message>
        <source>%1 selected passes</source>
        <translation>%1 gewählte Durchläufe</translation>
    </message>
    <message>
        <source>No schedule is open.</source>
        <translation>Kein Ablaufplan ist offen.</translation>
    </message>
    <message>
        <source>None. Click a pass, or walk with the arrow keys.</source>
        <translation>Keiner. Einen Durchlauf anklicken oder mit den Pfeiltasten gehen.</translation>
    </message>
    <message>
        <source>Known once every pass has its place.</source>
        <translation>Bekannt, sobald jeder Durchlauf seinen Platz hat.</translation>
    </message>
    <message>
        <source>Nothing ends: devices wait for each other in a ring.</source>
        <translation>Nichts endet: Geräte warten im Kreis aufeinander.</translation>
    </message>
</context>
<context>
    <name>pw::ui::JobPage</name>
    <message>
        <source>The step before</source>
        <translation>Der Schritt davor</translation>
    </message>
    <message>
        <source>The next step</source>
        <translation>Der nächste Schritt</translation>
    </message>
    <message>
        <source>All ranks</source>
        <translation>Alle Ränge</translation>
    </message>
    <message>
        <source>All workers by what they are busy with; what is empty waits.</source>
        <translation>Alle Worker nach dem, was sie tun; was leer ist, wartet.</translation>
    </message>
    <message>
        <source>step %1 · %2 (median %3)</source>
        <translation>Schritt %1 · %2 (Median %3)</translation>
    </message>
    <message>
        <source>Job · %1</source>
        <translation>Job · %1</translation>
    </message>
    <message>
        <source>step %1: %2     parallel efficiency %3</source>
        <translation>Schritt %1: %2     parallele Effizienz %3</translation>
    </message>
    <message>
        <source>     %1 costs %2 a step</source>
        <translation>     %1: kostet %2 je Schritt</translation>
    </message>
    <message>
        <source>The step is not there yet.</source>
        <translation>Der Schritt ist noch nicht da.</translation>
    </message>
    <message>
        <source>rank 3</source>
        <translation>Rang 3</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>no rank %1</source>
        <translation>kein Rang %1</translation>
    </message>
    <message>
        <source>rank %1: stage %2 of replica %3</source>
        <translation>Rang %1: Stufe %2 von Replikat %3</translation>
    </message>
</context>
<context>
    <name>pw::ui::JobSource</name>
    <message>
        <source>%1 · replica %2</source>
        <translation>%1 · Replikat %2</translation>
    </message>
    <message>
        <source>took %1; %2 in the median replica (%3)</source>
        <translation>dauerte %1; %2 im mittleren Replikat (%3)</translation>
    </message>
    <message>
        <source>took %1</source>
        <translation>dauerte %1</translation>
    </message>
    <message>
        <source>%1 of replica %2 idles for %3</source>
        <translation>%1 von Replikat %2 steht %3 still</translation>
    </message>
</context>
<context>
    <name>pw::ui::KeepingBar</name>
    <message>
        <source>Stop keeping</source>
        <translation>Behalten abbrechen</translation>
    </message>
    <message>
        <source>How much of the trace is kept</source>
        <translation>Wie viel des Trace behalten ist</translation>
    </message>
    <message>
        <source>Takes back what was written; nothing of the trace stays in the store.</source>
        <translation>Nimmt zurück, was geschrieben wurde; nichts vom Trace bleibt in der Ablage.</translation>
    </message>
</context>
<context>
    <name>pw::ui::KeySheet</name>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>Keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>On the stage (F11)</source>
        <translation>Beim Vorführen (F11)</translation>
    </message>
    <message>
        <source>← →</source>
        <translation>← →</translation>
    </message>
    <message>
        <source>from event to event</source>
        <translation>von Ereignis zu Ereignis</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>Pos1</translation>
    </message>
    <message>
        <source>from the beginning</source>
        <translation>von Anfang an</translation>
    </message>
    <message>
        <source>N   Shift+N</source>
        <translation>N   Umschalt+N</translation>
    </message>
    <message>
        <source>next card of the notes, the one before</source>
        <translation>nächste Karte der Notizen, vorige</translation>
    </message>
    <message>
        <source>C</source>
        <translation>C</translation>
    </message>
    <message>
        <source>cards away, and back</source>
        <translation>Karten weg und wieder her</translation>
    </message>
    <message>
        <source>L</source>
        <translation>L</translation>
    </message>
    <message>
        <source>laser pointer</source>
        <translation>Laserpointer</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>leave</source>
        <translation>beenden</translation>
    </message>
</context>
<context>
    <name>pw::ui::KindLegend</name>
    <message>
        <source>Colours</source>
        <translation>Farben</translation>
    </message>
    <message>
        <source>a hue a micro-batch, F darker than the others</source>
        <translation>ein Farbton je Micro-Batch, F dunkler als die anderen</translation>
    </message>
</context>
<context>
    <name>pw::ui::LaneView</name>
    <message>
        <source>W  S</source>
        <translation>W  S</translation>
    </message>
    <message>
        <source>Zoom in and out at the pointer</source>
        <translation>Am Mauszeiger vergrößern und verkleinern</translation>
    </message>
    <message>
        <source>A  D</source>
        <translation>A  D</translation>
    </message>
    <message>
        <source>Move left and right</source>
        <translation>Nach links und rechts</translation>
    </message>
    <message>
        <source>F</source>
        <translation>F</translation>
    </message>
    <message>
        <source>Focus on what is selected, else on the marked time, then on everything</source>
        <translation>Auf das Gewählte, sonst auf die markierte Zeit, dann auf alles</translation>
    </message>
    <message>
        <source>0</source>
        <translation>0</translation>
    </message>
    <message>
        <source>Everything</source>
        <translation>Alles</translation>
    </message>
    <message>
        <source>←  →   ,  .</source>
        <translation>←  →   ,  .</translation>
    </message>
    <message>
        <source>Previous and next on the lane</source>
        <translation>Vorheriges und nächstes auf der Spur</translation>
    </message>
    <message>
        <source>↑  ↓</source>
        <translation>↑  ↓</translation>
    </message>
    <message>
        <source>The same time on the lane above and below; else scroll</source>
        <translation>Dieselbe Zeit auf der Spur darüber und darunter; sonst rollen</translation>
    </message>
    <message>
        <source>[  ]</source>
        <translation>[  ]</translation>
    </message>
    <message>
        <source>Along the arrows: what it waits for, what waits for it</source>
        <translation>Den Pfeilen nach: worauf es wartet, was darauf wartet</translation>
    </message>
    <message>
        <source>{  }</source>
        <translation>{  }</translation>
    </message>
    <message>
        <source>P</source>
        <translation>P</translation>
    </message>
    <message>
        <source>Let the lane of what is selected stand above all, or put it back</source>
        <translation>Die Spur des Gewählten oben anheften oder zurücksetzen</translation>
    </message>
    <message>
        <source>Enter</source>
        <translation>Enter</translation>
    </message>
    <message>
        <source>Open what is selected</source>
        <translation>Das Gewählte öffnen</translation>
    </message>
    <message>
        <source>M</source>
        <translation>M</translation>
    </message>
    <message>
        <source>Markers at both edges of what is selected</source>
        <translation>Marken an beide Ränder des Gewählten</translation>
    </message>
    <message>
        <source>Shift+A  Shift+B</source>
        <translation>Umschalt+A  Umschalt+B</translation>
    </message>
    <message>
        <source>Marker A or B at the pointer, else at what is selected</source>
        <translation>Marke A oder B am Mauszeiger, sonst am Gewählten</translation>
    </message>
    <message>
        <source>Esc</source>
        <translation>Esc</translation>
    </message>
    <message>
        <source>Give up a drag; clear the markers, then the selection</source>
        <translation>Ein Ziehen aufgeben; erst die Marken löschen, dann die Auswahl</translation>
    </message>
    <message>
        <source>Click, Ctrl+click</source>
        <translation>Klick, Strg+Klick</translation>
    </message>
    <message>
        <source>Select a pass, add a pass</source>
        <translation>Einen Durchlauf wählen, einen dazuwählen</translation>
    </message>
    <message>
        <source>Drag a pass</source>
        <translation>Einen Durchlauf ziehen</translation>
    </message>
    <message>
        <source>Move it in the order</source>
        <translation>In der Reihenfolge verschieben</translation>
    </message>
    <message>
        <source>Drag idle time</source>
        <translation>Leerlauf ziehen</translation>
    </message>
    <message>
        <source>Measure; snaps to the edges of passes</source>
        <translation>Messen; rastet an den Rändern der Durchläufe ein</translation>
    </message>
    <message>
        <source>Drag a marker</source>
        <translation>Eine Marke ziehen</translation>
    </message>
    <message>
        <source>Move it</source>
        <translation>Verschieben</translation>
    </message>
    <message>
        <source>Drag with the middle button</source>
        <translation>Mit der mittleren Taste ziehen</translation>
    </message>
    <message>
        <source>Move the view</source>
        <translation>Die Ansicht verschieben</translation>
    </message>
    <message>
        <source>Wheel, Ctrl+wheel</source>
        <translation>Rad, Strg+Rad</translation>
    </message>
    <message>
        <source>Zoom at the pointer; the wheel scrolls lanes that do not fit</source>
        <translation>Am Mauszeiger vergrößern; das Rad rollt Spuren, die nicht hineinpassen</translation>
    </message>
    <message>
        <source>Shift+wheel</source>
        <translation>Umschalt+Rad</translation>
    </message>
    <message>
        <source>Double click idle time</source>
        <translation>Doppelklick in Leerlauf</translation>
    </message>
    <message>
        <source>Back to its place</source>
        <translation>Zurück an ihren Platz</translation>
    </message>
    <message>
        <source>Pin above all</source>
        <translation>Oben anheften</translation>
    </message>
    <message>
        <source>The next alternative of the last [ or ]</source>
        <translation>Die nächste Möglichkeit des letzten [ oder ]</translation>
    </message>
</context>
<context>
    <name>pw::ui::LayerRow</name>
    <message>
        <source>Stage %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source>A layer from stage %1 to stage %2</source>
        <translation>Eine Schicht von Stufe %1 zu Stufe %2</translation>
    </message>
    <message>
        <source>1 layer</source>
        <translation>1 Schicht</translation>
    </message>
    <message>
        <source>%1 layers</source>
        <translation>%1 Schichten</translation>
    </message>
</context>
<context>
    <name>pw::ui::LengthsChart</name>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>%1: median %2 → %3</source>
        <translation>%1: Median %2 → %3</translation>
    </message>
    <message>
        <source>How long passes take, by kind</source>
        <translation>Wie lange Durchläufe dauern, nach Art</translation>
    </message>
    <message>
        <source>up to %1</source>
        <translation>bis %1</translation>
    </message>
    <message>
        <source>last column from %1</source>
        <translation>letzte Säule ab %1</translation>
    </message>
    <message>
        <source>%1 of %2 (%3)</source>
        <translation>%1 von %2 (%3)</translation>
    </message>
    <message>
        <source>%1 of %2
%3: %4
%5: %6</source>
        <translation>%1 von %2
%3: %4
%5: %6</translation>
    </message>
</context>
<context>
    <name>pw::ui::LengthsView</name>
    <message>
        <source>Timelines whose passes are compared</source>
        <translation>Zeitachsen, deren Durchläufe verglichen werden</translation>
    </message>
    <message>
        <source>%1 against %2</source>
        <translation>%1 gegen %2</translation>
    </message>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>Passes of %1 (hatched, median dashed) and of %2 (filled). Each column is a part of all passes of its kind there.</source>
        <translation>Durchläufe von %1 (schraffiert, Median gestrichelt) und von %2 (gefüllt). Jede Säule ist ein Anteil aller Durchläufe ihrer Art dort.</translation>
    </message>
    <message>
        <source>Nothing to compare with.</source>
        <translation>Nichts, womit zu vergleichen wäre.</translation>
    </message>
    <message>
        <source>Comparing…</source>
        <translation>Wird verglichen …</translation>
    </message>
</context>
<context>
    <name>pw::ui::LessonPanel</name>
    <message>
        <source>Lesson %1 of %2: %3 · step %4 of %5</source>
        <translation>Lektion %1 von %2: %3 · Schritt %4 von %5</translation>
    </message>
    <message>
        <source>Your turn</source>
        <translation>Selbst versuchen</translation>
    </message>
    <message>
        <source>Goal</source>
        <translation>Ziel</translation>
    </message>
    <message>
        <source>Medals</source>
        <translation>Medaillen</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>Hint 1 of 3</source>
        <translation>Tipp 1 von 3</translation>
    </message>
    <message>
        <source>Play it for me</source>
        <translation>Vorspielen</translation>
    </message>
    <message>
        <source>Start over</source>
        <translation>Von vorn</translation>
    </message>
    <message>
        <source>Open the block on the bench</source>
        <translation>Baustein auf der Werkbank öffnen</translation>
    </message>
    <message>
        <source>‹ Back</source>
        <translation>‹ Zurück</translation>
    </message>
    <message>
        <source>Skip</source>
        <translation>Überspringen</translation>
    </message>
    <message>
        <source>Next ›</source>
        <translation>Weiter ›</translation>
    </message>
    <message>
        <source>Hint %1 of 3</source>
        <translation>Tipp %1 von 3</translation>
    </message>
    <message>
        <source>No more hints</source>
        <translation>Keine Tipps mehr</translation>
    </message>
    <message>
        <source>Show what is ready</source>
        <translation>Zeigen, was bereit ist</translation>
    </message>
    <message>
        <source>Passes that can come next stand palely in their lanes; a double click puts one there.</source>
        <translation>Durchläufe, die als Nächstes kommen können, stehen blass in ihren Spuren; ein Doppelklick platziert einen.</translation>
    </message>
    <message>
        <source>Run until a choice</source>
        <translation>Bis zur Wahl laufen</translation>
    </message>
    <message>
        <source>Places passes as long as a device has only one that can come next.</source>
        <translation>Platziert Durchläufe, solange auf einem Gerät nur einer als Nächstes kommen kann.</translation>
    </message>
    <message>
        <source>Par is the best that can be had in this level; who reaches it has the medal.</source>
        <translation>Par ist das Beste, was in diesem Level zu haben ist; wer es erreicht, hat die Medaille.</translation>
    </message>
    <message>
        <source>The makespan: when the last pass ends.</source>
        <translation>Die Gesamtdauer: wann der letzte Durchlauf endet.</translation>
    </message>
    <message>
        <source>The most that a device holds at a time, in micro-batches (mb).</source>
        <translation>Das Meiste, was ein Gerät zugleich hält, in Micro-Batches (mb).</translation>
    </message>
    <message>
        <source>Messages from device to device.</source>
        <translation>Nachrichten von Gerät zu Gerät.</translation>
    </message>
    <message>
        <source>%1 · step %2 of %3</source>
        <translation>%1 · Schritt %2 von %3</translation>
    </message>
    <message>
        <source>Schedules of this level</source>
        <translation>Ablaufpläne dieses Levels</translation>
    </message>
    <message>
        <source>Choose a schedule</source>
        <translation>Einen Ablaufplan wählen</translation>
    </message>
    <message>
        <source>Double-click a pass: its activation goes to the host&apos;s memory, or stays.</source>
        <translation>Doppelklick auf einen Durchlauf: Seine Aktivierung geht in den Speicher des Hosts, oder bleibt.</translation>
    </message>
    <message>
        <source>Double-click a pass that takes longer than usual: what slows it down is mended, or is there again.</source>
        <translation>Doppelklick auf einen Durchlauf, der länger dauert als sonst: Was ihn bremst, wird behoben, oder ist wieder da.</translation>
    </message>
    <message>
        <source>My solution</source>
        <translation>Meine Lösung</translation>
    </message>
    <message>
        <source>mended: %1 of %2</source>
        <translation>behoben: %1 von %2</translation>
    </message>
</context>
<context>
    <name>pw::ui::LessonSteps</name>
    <message>
        <source>Step %1 of %2</source>
        <translation>Schritt %1 von %2</translation>
    </message>
</context>
<context>
    <name>pw::ui::LevelEditor</name>
    <message>
        <source>Try it</source>
        <translation>Ausprobieren</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>Speichern…</translation>
    </message>
    <message>
        <source>Add to a lesson…</source>
        <translation>Zu Lektion hinzufügen…</translation>
    </message>
    <message>
        <source>An empty line parts paragraphs; **bold** and `code` are marks.</source>
        <translation>Eine Leerzeile trennt Absätze; **fett** und `Code` sind Auszeichnungen.</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source> of %1</source>
        <translation> von %1</translation>
    </message>
    <message>
        <source>The first so many; a par of few is proven sooner.</source>
        <translation>Nur die ersten; bei wenigen ist das Par schneller bewiesen.</translation>
    </message>
    <message>
        <source>empty lanes</source>
        <translation>leere Spuren</translation>
    </message>
    <message>
        <source>the forwards before the first backward</source>
        <translation>die Forwards vor dem ersten Backward</translation>
    </message>
    <message>
        <source>the whole order, to be made better</source>
        <translation>die ganze Reihenfolge, zum Verbessern</translation>
    </message>
    <message>
        <source>they stay</source>
        <translation>sie bleiben</translation>
    </message>
    <message>
        <source>Micro-batches</source>
        <translation>Micro-Batches</translation>
    </message>
    <message>
        <source>At first stand</source>
        <translation>Am Anfang</translation>
    </message>
    <message>
        <source>makespan at most</source>
        <translation>Gesamtdauer höchstens</translation>
    </message>
    <message>
        <source> ms</source>
        <translation> ms</translation>
    </message>
    <message>
        <source>peak at most</source>
        <translation>Spitze höchstens</translation>
    </message>
    <message>
        <source> micro-batches</source>
        <translation> Micro-Batches</translation>
    </message>
    <message>
        <source>exactly this order</source>
        <translation>genau diese Reihenfolge</translation>
    </message>
    <message>
        <source>Goals</source>
        <translation>Ziele</translation>
    </message>
    <message>
        <source> passes placed</source>
        <translation> Durchläufe platziert</translation>
    </message>
    <message>
        <source>Hint 1 says</source>
        <translation>Tipp 1 sagt</translation>
    </message>
    <message>
        <source>Hint 2 shows</source>
        <translation>Tipp 2 zeigt</translation>
    </message>
    <message>
        <source>Hint 3 does</source>
        <translation>Tipp 3 tut</translation>
    </message>
    <message>
        <source>Prove the par</source>
        <translation>Par beweisen</translation>
    </message>
    <message>
        <source>not proven yet</source>
        <translation>noch nicht bewiesen</translation>
    </message>
    <message>
        <source>searching …</source>
        <translation>Suche läuft …</translation>
    </message>
    <message>
        <source>%1. Fewer micro-batches are proven sooner.</source>
        <translation>%1. Mit weniger Micro-Batches geht der Beweis schneller.</translation>
    </message>
    <message>
        <source>proven: %1, %2 micro-batches, %3 messages; %4 looked at</source>
        <translation>bewiesen: %1, %2 Micro-Batches, %3 Nachrichten; %4 betrachtet</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
</context>
<context>
    <name>pw::ui::LinksDialog</name>
    <message>
        <source>%1 is a number from 0 to %2 %3, not “%4”</source>
        <translation>%1 ist eine Zahl von 0 bis %2 %3, nicht „%4“</translation>
    </message>
    <message>
        <source>the network over time is rising milliseconds, each with a factor behind a colon, as in 0:1, 20:5, 60:1; not “%1”</source>
        <translation>das Netz im Zeitverlauf sind steigende Millisekunden, jede mit einem Faktor hinter einem Doppelpunkt, wie 0:1, 20:5, 60:1; nicht „%1“</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>Leitungen</translation>
    </message>
    <message>
        <source>&amp;The same between all devices</source>
        <translation>Zwischen allen Geräten &amp;gleich</translation>
    </message>
    <message>
        <source>&amp;Each link its own</source>
        <translation>&amp;Jede Leitung für sich</translation>
    </message>
    <message>
        <source>%1 → %2</source>
        <translation>%1 → %2</translation>
    </message>
    <message>
        <source>Latency</source>
        <translation>Latenz</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>the latency</source>
        <translation>die Latenz</translation>
    </message>
    <message>
        <source>What a message of no bytes takes</source>
        <translation>Was eine Nachricht ohne Bytes dauert</translation>
    </message>
    <message>
        <source>Bandwidth</source>
        <translation>Bandbreite</translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation>GB/s</translation>
    </message>
    <message>
        <source>the bandwidth</source>
        <translation>die Bandbreite</translation>
    </message>
    <message>
        <source>Empty: a message takes its latency, whatever its size</source>
        <translation>Leer: Eine Nachricht dauert ihre Latenz, wie groß sie auch ist</translation>
    </message>
    <message>
        <source>Latency and bandwidth of every link</source>
        <translation>Latenz und Bandbreite jeder Leitung</translation>
    </message>
    <message>
        <source>does not count</source>
        <translation>zählt nicht</translation>
    </message>
    <message>
        <source>0:1, 20:5, 60:1</source>
        <translation>0:1, 20:5, 60:1</translation>
    </message>
    <message>
        <source>From 20 ms to 60 ms a message takes five times as long.</source>
        <translation>Von 20 ms bis 60 ms dauert eine Nachricht fünfmal so lang.</translation>
    </message>
    <message>
        <source>&amp;Latency</source>
        <translation>&amp;Latenz</translation>
    </message>
    <message>
        <source>&amp;Bandwidth</source>
        <translation>&amp;Bandbreite</translation>
    </message>
    <message>
        <source>&amp;Network over time</source>
        <translation>&amp;Netz im Zeitverlauf</translation>
    </message>
    <message>
        <source>One device has no links.</source>
        <translation>Ein einzelnes Gerät hat keine Leitungen.</translation>
    </message>
    <message>
        <source>A table of the links between more than %1 devices is too long; --model gives nodes with links of their own.</source>
        <translation>Eine Tabelle der Leitungen zwischen mehr als %1 Geräten ist zu lang; --model gibt Knoten mit eigenen Leitungen.</translation>
    </message>
    <message>
        <source>A bandwidth counts once messages have bytes: see the stage table.</source>
        <translation>Eine Bandbreite zählt, sobald Nachrichten Bytes haben: siehe Stufentabelle.</translation>
    </message>
    <message>
        <source>The costs become a stage table, since equal stages have one time a message.</source>
        <translation>Aus den Kosten wird eine Stufentabelle, denn gleiche Stufen haben eine Zeit je Nachricht.</translation>
    </message>
</context>
<context>
    <name>pw::ui::LiveSource</name>
    <message>
        <source>run: %1 of micro-batch %2 on stage %3 took %4, from %5 on</source>
        <translation>Lauf: %1 von Micro-Batch %2 auf Stufe %3 dauerte %4, ab %5</translation>
    </message>
</context>
<context>
    <name>pw::ui::LiveView</name>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Timeline of the run</source>
        <translation>Zeitleiste des Laufs</translation>
    </message>
    <message>
        <source>Open run</source>
        <translation>Lauf öffnen</translation>
    </message>
    <message>
        <source>Opens the stored run with its memory, messages and losses.</source>
        <translation>Öffnet den aufbewahrten Lauf mit Speicher, Nachrichten und Losses.</translation>
    </message>
    <message>
        <source>Close the run&apos;s timeline</source>
        <translation>Zeitleiste des Laufs schließen</translation>
    </message>
    <message>
        <source>Closes the run&apos;s timeline; the run stays in the store.</source>
        <translation>Schließt die Zeitleiste des Laufs; er bleibt in der Ablage.</translation>
    </message>
    <message>
        <source>Open run %1</source>
        <translation>Lauf %1 öffnen</translation>
    </message>
    <message>
        <source>Take the measured times</source>
        <translation>Gemessene Zeiten übernehmen</translation>
    </message>
    <message>
        <source>The plan&apos;s times are far from what was measured: the measured ones become the costs of the schedule. Undo brings the old ones back.</source>
        <translation>Die Zeiten des Plans sind weit von den gemessenen entfernt: Die gemessenen werden zu den Kosten des Ablaufplans. Rückgängig bringt die alten zurück.</translation>
    </message>
    <message>
        <source>Take these times, improve, run again</source>
        <translation>Diese Zeiten übernehmen, verbessern, erneut ausführen</translation>
    </message>
    <message>
        <source>The measured times become the costs of the schedule, a better order is looked for with them and run, and both runs are compared.</source>
        <translation>Die gemessenen Zeiten werden zu den Kosten des Ablaufplans; mit ihnen wird eine bessere Reihenfolge gesucht und ausgeführt, und beide Läufe werden verglichen.</translation>
    </message>
</context>
<context>
    <name>pw::ui::LogView</name>
    <message>
        <source>Log of the run</source>
        <translation>Protokoll des Laufs</translation>
    </message>
    <message>
        <source>What the executor says appears here when a schedule is run.</source>
        <translation>Was der Executor sagt, erscheint hier, wenn ein Ablaufplan ausgeführt wird.</translation>
    </message>
    <message>
        <source>warning: %1</source>
        <translation>Warnung: %1</translation>
    </message>
    <message>
        <source>… %1 came too fast to be shown</source>
        <translation>… %1 kamen zu schnell, um gezeigt zu werden</translation>
    </message>
</context>
<context>
    <name>pw::ui::LossChart</name>
    <message>
        <source>Losses</source>
        <translation>Loss-Verlauf</translation>
    </message>
    <message>
        <source>optimizer step</source>
        <translation>Optimierer-Schritt</translation>
    </message>
    <message>
        <source>The losses of a run that trains appear here as a curve.</source>
        <translation>Die Losses eines trainierenden Laufs erscheinen hier als Kurve.</translation>
    </message>
    <message>
        <source>loss %1 at step %2, from %3</source>
        <translation>Loss %1 bei Schritt %2, ab %3</translation>
    </message>
</context>
<context>
    <name>pw::ui::LossCurves</name>
    <message>
        <source>Losses of several runs</source>
        <translation>Loss-Verläufe mehrerer Läufe</translation>
    </message>
    <message>
        <source>optimizer step</source>
        <translation>Optimierer-Schritt</translation>
    </message>
    <message>
        <source>loss</source>
        <translation>Loss</translation>
    </message>
</context>
<context>
    <name>pw::ui::LossesView</name>
    <message>
        <source>%1 and %2 more</source>
        <translation>%1 und %2 weitere</translation>
    </message>
</context>
<context>
    <name>pw::ui::MainWindow</name>
    <message>
        <source>Not opened</source>
        <translation>Nicht geöffnet</translation>
    </message>
    <message>
        <source>It says what passes take on some machine, and holds no schedule. Open or make a schedule first; then open this file again, and the schedule gets its times.</source>
        <translation>Darin steht, was Durchläufe auf einer Maschine dauern, aber kein Ablaufplan. Erst einen Ablaufplan öffnen oder machen, dann diese Datei noch einmal öffnen: Der Ablaufplan bekommt ihre Zeiten.</translation>
    </message>
    <message>
        <source>Costs of %1</source>
        <translation>Kosten von %1</translation>
    </message>
    <message>
        <source>%1 has the times of %2 now.</source>
        <translation>%1 hat jetzt die Zeiten von %2.</translation>
    </message>
    <message>
        <source>%1 has %2; the first: %3</source>
        <translation>%1 hat %2; das erste: %3</translation>
    </message>
    <message>
        <source>Pipewright projects (*.pipewright.json *.json)</source>
        <translation>Pipewright-Projekte (*.pipewright.json *.json)</translation>
    </message>
    <message>
        <source>PyTorch schedules (*.csv)</source>
        <translation>PyTorch-Schedules (*.csv)</translation>
    </message>
    <message>
        <source>Schedule text (*.txt)</source>
        <translation>Ablaufplan-Text (*.txt)</translation>
    </message>
    <message>
        <source>Traces (*.json *.json.gz *.sqlite)</source>
        <translation>Traces (*.json *.json.gz *.sqlite)</translation>
    </message>
    <message>
        <source>All files (*)</source>
        <translation>Alle Dateien (*)</translation>
    </message>
    <message>
        <source>It is a pipe or a device, and no file.</source>
        <translation>Es ist eine Pipe oder ein Gerät, keine Datei.</translation>
    </message>
    <message>
        <source>Reading %1 …</source>
        <translation>%1 wird gelesen …</translation>
    </message>
    <message>
        <source>&amp;Welcome and samples</source>
        <translation>&amp;Willkommen und Beispiele</translation>
    </message>
    <message>
        <source>Recent files, samples, what to do first.</source>
        <translation>Letzte Dateien, Beispiele, erste Schritte.</translation>
    </message>
    <message>
        <source>Not kept: %1</source>
        <translation>Nicht behalten: %1</translation>
    </message>
    <message>
        <source>Kept as run %1 in %2.</source>
        <translation>Als Lauf %1 in %2 behalten.</translation>
    </message>
    <message>
        <source>Keeping the passes in %1…</source>
        <translation>Die Durchläufe werden in %1 behalten …</translation>
    </message>
    <message>
        <source>Making the plan…</source>
        <translation>Der Plan wird gemacht …</translation>
    </message>
    <message>
        <source>No plan: %1</source>
        <translation>Kein Plan: %1</translation>
    </message>
    <message>
        <source>A schedule, or the bench, has to be in front.</source>
        <translation>Ein Ablaufplan oder die Werkbank muss vorn sein.</translation>
    </message>
    <message>
        <source>The schedule is still being computed.</source>
        <translation>Der Ablaufplan wird noch berechnet.</translation>
    </message>
    <message>
        <source>A schedule&apos;s passes always start as early as their order lets them: there is no idle time to squeeze out. Reorder changes the order; on the bench a block is squeezed.</source>
        <translation>Die Durchläufe eines Ablaufplans beginnen immer so früh, wie ihre Reihenfolge es zulässt: Es gibt keinen Leerlauf zum Auspressen. Umordnen ändert die Reihenfolge; gepresst wird ein Baustein auf der Werkbank.</translation>
    </message>
    <message>
        <source>No pass has its place yet: there is nothing to repeat.</source>
        <translation>Noch hat kein Durchlauf seinen Platz: Es gibt nichts zu wiederholen.</translation>
    </message>
    <message>
        <source>Not every pass has its place yet.</source>
        <translation>Noch nicht jeder Durchlauf hat seinen Platz.</translation>
    </message>
    <message>
        <source>Repeat micro-batch %1</source>
        <translation>Micro-Batch %1 wiederholen</translation>
    </message>
    <message>
        <source>Micro-batch %1 is repeated: 1 pass more.</source>
        <translation>Micro-Batch %1 ist wiederholt: 1 Durchlauf mehr.</translation>
    </message>
    <message>
        <source>Micro-batch %1 is repeated: %2 passes more.</source>
        <translation>Micro-Batch %1 ist wiederholt: %2 Durchläufe mehr.</translation>
    </message>
    <message>
        <source>Reorder</source>
        <translation>Umordnen</translation>
    </message>
    <message>
        <source>Reordered: the makespan is %1 instead of %2.</source>
        <translation>Umgeordnet: Die Gesamtdauer ist %1 statt %2.</translation>
    </message>
    <message>
        <source>No pass of warm-up or cool-down can be moved so that the whole ends sooner: the order stays.</source>
        <translation>Kein Durchlauf aus An- oder Auslauf lässt sich so verschieben, dass das Ganze früher endet: Die Reihenfolge bleibt.</translation>
    </message>
    <message>
        <source>%1 …</source>
        <translation>%1 …</translation>
    </message>
    <message>
        <source>The schedule was changed meanwhile: it stays as it is.</source>
        <translation>Der Ablaufplan wurde inzwischen geändert: Er bleibt, wie er ist.</translation>
    </message>
    <message>
        <source>Building-block &amp;bench</source>
        <translation>Baustein-Werk&amp;bank</translation>
    </message>
    <message>
        <source>Ctrl+B</source>
        <translation>Ctrl+B</translation>
    </message>
    <message>
        <source>Draws one micro-batch&apos;s passes on the devices, to be repeated, squeezed and reordered.</source>
        <translation>Zeichnet die Durchläufe eines Micro-Batches auf die Geräte, zum Wiederholen, Pressen und Umordnen.</translation>
    </message>
    <message>
        <source>Re&amp;peat</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>The passes of the selected micro-batch again for the next ones; on the bench the block at every interval.</source>
        <translation>Die Durchläufe des gewählten Micro-Batches noch einmal für die nächsten; auf der Werkbank der Baustein in jedem Intervall.</translation>
    </message>
    <message>
        <source>S&amp;queeze</source>
        <translation>P&amp;ressen</translation>
    </message>
    <message>
        <source>On the bench: the repeated block without idle time that nothing asks for.</source>
        <translation>Auf der Werkbank: der wiederholte Baustein ohne Leerlauf, den nichts verlangt.</translation>
    </message>
    <message>
        <source>Re&amp;order</source>
        <translation>&amp;Umordnen</translation>
    </message>
    <message>
        <source>Passes of warm-up and cool-down move into free time, in the schedule or on the bench.</source>
        <translation>Durchläufe aus An- und Auslauf rücken in freie Zeit, im Ablaufplan oder auf der Werkbank.</translation>
    </message>
    <message>
        <source>No schedule is open.</source>
        <translation>Kein Ablaufplan ist offen.</translation>
    </message>
    <message>
        <source>No pass is selected.</source>
        <translation>Kein Durchlauf ist gewählt.</translation>
    </message>
    <message>
        <source>Optimizer updates cannot be copied.</source>
        <translation>Optimierer-Updates lassen sich nicht kopieren.</translation>
    </message>
    <message>
        <source>Cut %1</source>
        <translation>%1 ausschneiden</translation>
    </message>
    <message>
        <source>%1 cut.</source>
        <translation>%1 ausgeschnitten.</translation>
    </message>
    <message>
        <source>There are no passes on the clipboard.</source>
        <translation>In der Zwischenablage sind keine Durchläufe.</translation>
    </message>
    <message>
        <source>Paste %1</source>
        <translation>%1 einfügen</translation>
    </message>
    <message>
        <source>%1 pasted; the schedule grows from %2 to %3 micro-batches.</source>
        <translation>%1 eingefügt; der Ablaufplan wächst von %2 auf %3 Micro-Batches.</translation>
    </message>
    <message>
        <source>%1 pasted.</source>
        <translation>%1 eingefügt.</translation>
    </message>
    <message>
        <source>Cu&amp;t</source>
        <translation>&amp;Ausschneiden</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Copies the selected passes, also as text.</source>
        <translation>Kopiert die gewählten Durchläufe, auch als Text.</translation>
    </message>
    <message>
        <source>%1 copied.</source>
        <translation>%1 kopiert.</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>&amp;Einfügen</translation>
    </message>
    <message>
        <source>Puts copied passes behind the selected one, for the next micro-batches that have none of them.</source>
        <translation>Legt kopierte Durchläufe hinter den gewählten, für die nächsten Micro-Batches, die noch keinen davon haben.</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Löschen</translation>
    </message>
    <message>
        <source>Delete %1</source>
        <translation>%1 löschen</translation>
    </message>
    <message>
        <source>%1 deleted.</source>
        <translation>%1 gelöscht.</translation>
    </message>
    <message>
        <source>Select &amp;all</source>
        <translation>Alles aus&amp;wählen</translation>
    </message>
    <message>
        <source>Rename block to “%1”</source>
        <translation>Baustein in „%1“ umbenennen</translation>
    </message>
    <message>
        <source>Delete block</source>
        <translation>Baustein löschen</translation>
    </message>
    <message>
        <source>The block is gone from the project; undo brings it back.</source>
        <translation>Der Baustein ist aus dem Projekt entfernt; Rückgängig bringt ihn zurück.</translation>
    </message>
    <message>
        <source>Palette</source>
        <translation>Palette</translation>
    </message>
    <message>
        <source>Ctrl+K</source>
        <translation>Ctrl+K</translation>
    </message>
    <message>
        <source>Another pass &amp;here…</source>
        <translation>Hier ein anderer Pa&amp;ss…</translation>
    </message>
    <message>
        <source>Alt+Down</source>
        <translation>Alt+Down</translation>
    </message>
    <message>
        <source>Puts another pass where one was just placed.</source>
        <translation>Legt einen anderen Durchlauf dorthin, wo eben einer platziert wurde.</translation>
    </message>
    <message>
        <source>No pass was just placed that could mean another.</source>
        <translation>Eben wurde kein Durchlauf platziert, der ein anderer sein könnte.</translation>
    </message>
    <message>
        <source>Move &amp;earlier</source>
        <translation>&amp;Früher</translation>
    </message>
    <message>
        <source>Alt+Left</source>
        <translation>Alt+Left</translation>
    </message>
    <message>
        <source>Moves the selected passes one place forward on their devices.</source>
        <translation>Rückt die gewählten Durchläufe auf ihren Geräten einen Platz vor.</translation>
    </message>
    <message>
        <source>Move &amp;later</source>
        <translation>Spä&amp;ter</translation>
    </message>
    <message>
        <source>Alt+Right</source>
        <translation>Alt+Right</translation>
    </message>
    <message>
        <source>Moves the selected passes one place back on their devices.</source>
        <translation>Rückt die gewählten Durchläufe auf ihren Geräten einen Platz zurück.</translation>
    </message>
    <message>
        <source>Select whole &amp;micro-batch</source>
        <translation>Ganzen &amp;Micro-Batch wählen</translation>
    </message>
    <message>
        <source>Ctrl+M</source>
        <translation>Ctrl+M</translation>
    </message>
    <message>
        <source>Selects every pass of the selected pass&apos;s micro-batch, on all devices.</source>
        <translation>Wählt jeden Durchlauf des Micro-Batches, zu dem der gewählte gehört, auf allen Geräten.</translation>
    </message>
    <message>
        <source>Ctrl+Shift+F</source>
        <translation>Ctrl+Shift+F</translation>
    </message>
    <message>
        <source>Passes may go where they break a rule; what is broken is listed.</source>
        <translation>Durchläufe dürfen Regeln brechen; was gebrochen ist, wird aufgelistet.</translation>
    </message>
    <message>
        <source>Passes go where they are put; what breaks a rule is listed under Problems.</source>
        <translation>Durchläufe bleiben, wo sie abgelegt werden; was eine Regel bricht, steht unter Probleme.</translation>
    </message>
    <message>
        <source>The rules are kept.</source>
        <translation>Die Regeln werden eingehalten.</translation>
    </message>
    <message>
        <source>The rules are kept from here on; what is wrong already stays until it is put right.</source>
        <translation>Ab hier werden die Regeln eingehalten; was schon falsch ist, bleibt, bis es berichtigt wird.</translation>
    </message>
    <message>
        <source>Stop &amp;computing</source>
        <translation>Berechnung an&amp;halten</translation>
    </message>
    <message>
        <source>Gives up the schedule that is being computed; what there was stays.</source>
        <translation>Gibt den Ablaufplan auf, der gerade berechnet wird; was da war, bleibt.</translation>
    </message>
    <message>
        <source>Nothing is being computed.</source>
        <translation>Nichts wird berechnet.</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>%1 added.</source>
        <translation>%1 hinzugefügt.</translation>
    </message>
    <message>
        <source>Finishing the rest …</source>
        <translation>Der Rest wird ergänzt …</translation>
    </message>
    <message>
        <source>The schedule was changed meanwhile: nothing was finished.</source>
        <translation>Der Ablaufplan wurde inzwischen geändert: Nichts wurde ergänzt.</translation>
    </message>
    <message>
        <source>No pass is missing.</source>
        <translation>Kein Durchlauf fehlt.</translation>
    </message>
    <message>
        <source>Finish the rest: %1</source>
        <translation>Rest ergänzen: %1</translation>
    </message>
    <message>
        <source>This schedule was never a family&apos;s. Choose one in the palette and press Enter.</source>
        <translation>Dieser Ablaufplan kam nie aus einer Familie. In der Palette eine wählen und Enter drücken.</translation>
    </message>
    <message>
        <source>Reset to %1</source>
        <translation>Auf %1 zurücksetzen</translation>
    </message>
    <message>
        <source>The schedule of %1 is back; undo brings back yours.</source>
        <translation>Der Ablaufplan von %1 ist zurück; Rückgängig bringt den eigenen wieder.</translation>
    </message>
    <message>
        <source>The schedule is the family&apos;s: nothing was changed in it.</source>
        <translation>Der Ablaufplan ist der der Familie: Daran wurde nichts geändert.</translation>
    </message>
    <message>
        <source>%1 (copy)</source>
        <translation>%1 (Kopie)</translation>
    </message>
    <message>
        <source>&amp;Backward first</source>
        <translation>&amp;Backward zuerst</translation>
    </message>
    <message>
        <source>Adds what is missing: backwards as early as they can be, within the memory limit.</source>
        <translation>Ergänzt, was fehlt: Backwards so früh wie möglich, innerhalb der Speichergrenze.</translation>
    </message>
    <message>
        <source>Ctrl+Shift+B</source>
        <translation>Ctrl+Shift+B</translation>
    </message>
    <message>
        <source>&amp;Forward first</source>
        <translation>&amp;Forward zuerst</translation>
    </message>
    <message>
        <source>Adds what is missing: forwards as long as the memory limit lets them.</source>
        <translation>Ergänzt, was fehlt: Forwards, solange die Speichergrenze sie zulässt.</translation>
    </message>
    <message>
        <source>&amp;Zero bubble</source>
        <translation>&amp;Zero Bubble</translation>
    </message>
    <message>
        <source>Adds what is missing with split backwards: W fills the gaps.</source>
        <translation>Ergänzt, was fehlt, mit geteilten Backwards: W füllt die Lücken.</translation>
    </message>
    <message>
        <source>&amp;Reset to the family</source>
        <translation>Auf die Familie &amp;zurücksetzen</translation>
    </message>
    <message>
        <source>Puts the family&apos;s schedule back in the place of what was made of it.</source>
        <translation>Setzt den Ablaufplan der Familie an die Stelle dessen, was daraus gemacht wurde.</translation>
    </message>
    <message>
        <source>&amp;Duplicate as a new tab</source>
        <translation>In neuen Tab &amp;duplizieren</translation>
    </message>
    <message>
        <source>Ctrl+D</source>
        <translation>Ctrl+D</translation>
    </message>
    <message>
        <source>Ctrl+Shift+N</source>
        <translation>Ctrl+Shift+N</translation>
    </message>
    <message>
        <source>Lanes without passes, in the shape of the schedule in front and with the times of its passes.</source>
        <translation>Spuren ohne Durchläufe, in der Form des Ablaufplans vorn und mit den Zeiten seiner Durchläufe.</translation>
    </message>
    <message>
        <source>About Pipewright</source>
        <translation>Über Pipewright</translation>
    </message>
    <message>
        <source>Pipewright %1

A studio for pipeline-parallel training: compose a schedule, see why devices idle, run it, compare.

Free software under the GNU General Public License, version 3 or later, without any warranty.

With Qt %2, QCustomPlot, SQLite, zlib, RapidJSON and tl::expected.</source>
        <translation>Pipewright %1

Ein Studio für pipeline-paralleles Training: einen Ablaufplan zusammenstellen, sehen, warum Geräte stillstehen, ihn ausführen, vergleichen.

Freie Software unter der GNU General Public License, Version 3 oder später, ohne jede Gewährleistung.

Mit Qt %2, QCustomPlot, SQLite, zlib, RapidJSON und tl::expected.</translation>
    </message>
    <message>
        <source>&amp;Manual</source>
        <translation>&amp;Handbuch</translation>
    </message>
    <message>
        <source>Every page, with a search through all of them.</source>
        <translation>Alle Seiten, mit einer Suche durch alle.</translation>
    </message>
    <message>
        <source>&amp;About Pipewright</source>
        <translation>&amp;Über Pipewright</translation>
    </message>
    <message>
        <source>Import folder of traces</source>
        <translation>Ordner mit Traces importieren</translation>
    </message>
    <message>
        <source>Import trace</source>
        <translation>Trace importieren</translation>
    </message>
    <message>
        <source>&amp;Import trace…</source>
        <translation>Trace i&amp;mportieren…</translation>
    </message>
    <message>
        <source>Ctrl+I</source>
        <translation>Ctrl+I</translation>
    </message>
    <message>
        <source>Reads a trace of another program; several files are the ranks of one run.</source>
        <translation>Liest einen Trace eines anderen Programms; mehrere Dateien sind die Ränge eines Laufs.</translation>
    </message>
    <message>
        <source>Import &amp;folder of traces…</source>
        <translation>&amp;Ordner mit Traces importieren…</translation>
    </message>
    <message>
        <source>Reads all traces in a folder as one run.</source>
        <translation>Liest alle Traces in einem Ordner als einen Lauf.</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>The figure is in %1.</source>
        <translation>Die Abbildung steht in %1.</translation>
    </message>
    <message>
        <source>&amp;PyTorch schedule (CSV)…</source>
        <translation>&amp;PyTorch-Schedule (CSV)…</translation>
    </message>
    <message>
        <source>&amp;Trace for Perfetto (Chrome JSON)…</source>
        <translation>&amp;Trace für Perfetto (Chrome JSON)…</translation>
    </message>
    <message>
        <source>Traces (*.trace.json)</source>
        <translation>Traces (*.trace.json)</translation>
    </message>
    <message>
        <source>Table of the t&amp;imeline (CSV)…</source>
        <translation>Tabelle der &amp;Zeitleiste (CSV)…</translation>
    </message>
    <message>
        <source>Tables (*.table.csv)</source>
        <translation>Tabellen (*.table.csv)</translation>
    </message>
    <message>
        <source>&amp;Schedule text…</source>
        <translation>Ablaufplan-Te&amp;xt…</translation>
    </message>
    <message>
        <source>The schedule is in %1.</source>
        <translation>Der Ablaufplan steht in %1.</translation>
    </message>
    <message>
        <source>Not exported: %1</source>
        <translation>Nicht exportiert: %1</translation>
    </message>
    <message>
        <source>Writing %1 …</source>
        <translation>%1 wird geschrieben …</translation>
    </message>
    <message>
        <source>Export schedule</source>
        <translation>Ablaufplan exportieren</translation>
    </message>
    <message>
        <source>%1 is not a file on this computer.</source>
        <translation>%1 ist keine Datei auf diesem Rechner.</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>&amp;Letzte öffnen</translation>
    </message>
    <message>
        <source>Recent file %1</source>
        <translation>Letzte Datei %1</translation>
    </message>
    <message>
        <source>%1 is gone; it is off the list now.</source>
        <translation>%1 ist fort und steht nicht mehr in der Liste.</translation>
    </message>
    <message>
        <source>&amp;Clear this list</source>
        <translation>Diese Liste &amp;leeren</translation>
    </message>
    <message>
        <source>Store of runs</source>
        <translation>Ablage der Läufe</translation>
    </message>
    <message>
        <source>Stores of runs (*.sqlite);;All files (*)</source>
        <translation>Ablagen von Läufen (*.sqlite);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>The schedule is unfinished: %1</source>
        <translation>Der Ablaufplan ist unvollständig: %1</translation>
    </message>
    <message>
        <source>&amp;New</source>
        <translation>&amp;Neu</translation>
    </message>
    <message>
        <source>&amp;Open…</source>
        <translation>Ö&amp;ffnen…</translation>
    </message>
    <message>
        <source>&amp;Save</source>
        <translation>&amp;Speichern</translation>
    </message>
    <message>
        <source>Save &amp;as…</source>
        <translation>Speichern &amp;unter…</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>&amp;Exportieren</translation>
    </message>
    <message>
        <source>&amp;Figure (SVG, PDF, PNG)…</source>
        <translation>A&amp;bbildung (SVG, PDF, PNG)…</translation>
    </message>
    <message>
        <source>Ctrl+E</source>
        <translation>Ctrl+E</translation>
    </message>
    <message>
        <source>Nothing is open.</source>
        <translation>Nichts ist offen.</translation>
    </message>
    <message>
        <source>&amp;Preferences…</source>
        <translation>E&amp;instellungen…</translation>
    </message>
    <message>
        <source>Ctrl+,</source>
        <translation>Ctrl+,</translation>
    </message>
    <message>
        <source>&amp;Close tab</source>
        <translation>Tab s&amp;chließen</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>Lesson</source>
        <translation>Lektion</translation>
    </message>
    <message>
        <source>%1 · Level %2</source>
        <translation>%1 · Level %2</translation>
    </message>
    <message>
        <source>Open a lesson</source>
        <translation>Lektion öffnen</translation>
    </message>
    <message>
        <source>Lessons (*.json)</source>
        <translation>Lektionen (*.json)</translation>
    </message>
    <message>
        <source>Save my results</source>
        <translation>Meine Ergebnisse speichern</translation>
    </message>
    <message>
        <source>Results (*.json)</source>
        <translation>Ergebnisse (*.json)</translation>
    </message>
    <message>
        <source>Your results are in %1.</source>
        <translation>Die Ergebnisse stehen in %1.</translation>
    </message>
    <message>
        <source>Comes later: finish or skip what is before it, or unlock all lessons.</source>
        <translation>Kommt später: erst die Lektionen davor lösen oder überspringen, oder alle freischalten.</translation>
    </message>
    <message>
        <source>&amp;Learn</source>
        <translation>&amp;Lernen</translation>
    </message>
    <message>
        <source>Goes on with the lessons where you left them.</source>
        <translation>Setzt die Lektionen dort fort, wo sie verlassen wurden.</translation>
    </message>
    <message>
        <source>No lesson is open.</source>
        <translation>Keine Lektion ist offen.</translation>
    </message>
    <message>
        <source>&amp;Next step</source>
        <translation>&amp;Nächster Schritt</translation>
    </message>
    <message>
        <source>Step &amp;back</source>
        <translation>Schritt &amp;zurück</translation>
    </message>
    <message>
        <source>A file for a teacher: levels, medals, tries.</source>
        <translation>Eine Datei für Lehrende: Levels, Medaillen, Versuche.</translation>
    </message>
    <message>
        <source>&amp;Unlock all lessons</source>
        <translation>&amp;Alle Lektionen freischalten</translation>
    </message>
    <message>
        <source>For teachers, and for those who know what they look for.</source>
        <translation>Für Lehrende und alle, die wissen, was sie suchen.</translation>
    </message>
    <message>
        <source>Forget my &amp;progress</source>
        <translation>Meinen &amp;Fortschritt vergessen</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Shows or hides this panel.</source>
        <translation>Zeigt oder verbirgt diesen Bereich.</translation>
    </message>
    <message>
        <source>Pipewright</source>
        <translation>Pipewright</translation>
    </message>
    <message>
        <source>Choose a family on the left, or open a project.</source>
        <translation>Links eine Familie wählen oder ein Projekt öffnen.</translation>
    </message>
    <message>
        <source>Unsaved changes</source>
        <translation>Ungespeicherte Änderungen</translation>
    </message>
    <message>
        <source>Save the changes to %1?</source>
        <translation>Die Änderungen in %1 speichern?</translation>
    </message>
    <message>
        <source>No timeline is in front.</source>
        <translation>Keine Zeitleiste ist vorn.</translation>
    </message>
    <message>
        <source>Presen&amp;t</source>
        <translation>Vo&amp;rführen</translation>
    </message>
    <message>
        <source>F11</source>
        <translation>F11</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>&amp;Next problem</source>
        <translation>Nä&amp;chstes Problem</translation>
    </message>
    <message>
        <source>F8</source>
        <translation>F8</translation>
    </message>
    <message>
        <source>Selects the next pass that is missing something or breaks a rule.</source>
        <translation>Wählt den nächsten Durchlauf, dem etwas fehlt oder der eine Regel bricht.</translation>
    </message>
    <message>
        <source>Every pass has its place.</source>
        <translation>Jeder Durchlauf hat seinen Platz.</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Losses</source>
        <translation>Loss-Verlauf</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>▶ &amp;Run</source>
        <translation>▶ Aus&amp;führen</translation>
    </message>
    <message>
        <source>Ctrl+R</source>
        <translation>Ctrl+R</translation>
    </message>
    <message>
        <source>Sends the schedule to the executor and shows the run below its plan.</source>
        <translation>Schickt den Ablaufplan an den Executor und zeigt den Lauf unter seinem Plan.</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>&amp;Anhalten</translation>
    </message>
    <message>
        <source>Shift+F5</source>
        <translation>Shift+F5</translation>
    </message>
    <message>
        <source>Stops what the executor does; what has come is kept.</source>
        <translation>Hält an, was der Executor tut; was angekommen ist, bleibt.</translation>
    </message>
    <message>
        <source>Nothing is running.</source>
        <translation>Nichts läuft.</translation>
    </message>
    <message>
        <source>&amp;Calibrate</source>
        <translation>&amp;Kalibrieren</translation>
    </message>
    <message>
        <source>Measures what every pass takes on the connection, and takes that over as the costs of the schedule.</source>
        <translation>Misst, was jeder Durchlauf über die Verbindung dauert, und übernimmt das als Kosten des Ablaufplans.</translation>
    </message>
    <message>
        <source>C&amp;onnections…</source>
        <translation>Ver&amp;bindungen…</translation>
    </message>
    <message>
        <source>Adds, changes and tests ways to executors.</source>
        <translation>Wege zu Executoren hinzufügen, ändern und testen.</translation>
    </message>
    <message>
        <source>Ctrl+Shift+F5</source>
        <translation>Ctrl+Shift+F5</translation>
    </message>
    <message>
        <source>Shows model size, backend and iterations.</source>
        <translation>Zeigt Modellgröße, Backend und Iterationen.</translation>
    </message>
    <message>
        <source>Connection</source>
        <translation>Verbindung</translation>
    </message>
    <message>
        <source>Where the schedule runs</source>
        <translation>Wo der Ablaufplan läuft</translation>
    </message>
    <message>
        <source>%1 · %2, %3</source>
        <translation>%1 · %2, %3</translation>
    </message>
    <message>
        <source>Connections…</source>
        <translation>Verbindungen…</translation>
    </message>
    <message>
        <source>Run on %1</source>
        <translation>Lauf auf %1</translation>
    </message>
    <message>
        <source> · warm-up</source>
        <translation> · Aufwärmen</translation>
    </message>
    <message>
        <source> · iteration %1</source>
        <translation> · Iteration %1</translation>
    </message>
    <message>
        <source> of %1</source>
        <translation> von %1</translation>
    </message>
    <message>
        <source> · %1</source>
        <translation> · %1</translation>
    </message>
    <message>
        <source> · under way</source>
        <translation> · läuft</translation>
    </message>
    <message>
        <source> · cut off</source>
        <translation> · abgeschnitten</translation>
    </message>
    <message>
        <source> · nothing has run yet</source>
        <translation> · noch lief nichts</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>The emulated backend trains nothing, so there are no losses.</source>
        <translation>Das Backend emulated trainiert nichts, also gibt es keine Losses.</translation>
    </message>
    <message>
        <source>The first step has not ended yet.</source>
        <translation>Der erste Schritt ist noch nicht zu Ende.</translation>
    </message>
    <message>
        <source>The schedule of run %1 cannot be opened: %2</source>
        <translation>Der Ablaufplan von Lauf %1 lässt sich nicht öffnen: %2</translation>
    </message>
    <message>
        <source>Use</source>
        <translation>Verwendung</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>C&amp;ompare…</source>
        <translation>&amp;Vergleichen…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+K</source>
        <translation>Ctrl+Shift+K</translation>
    </message>
    <message>
        <source>Lays schedules and runs over each other.</source>
        <translation>Legt Ablaufpläne und Läufe übereinander.</translation>
    </message>
    <message>
        <source>&amp;Find a run</source>
        <translation>&amp;Lauf suchen</translation>
    </message>
    <message>
        <source>Ctrl+Shift+R</source>
        <translation>Ctrl+Shift+R</translation>
    </message>
    <message>
        <source>Shows the runs that were kept.</source>
        <translation>Zeigt die aufbewahrten Läufe.</translation>
    </message>
    <message>
        <source>&amp;Undo deleting runs</source>
        <translation>Löschen von Läufen &amp;rückgängig</translation>
    </message>
    <message>
        <source>Brings the runs deleted last back.</source>
        <translation>Bringt die zuletzt gelöschten Läufe zurück.</translation>
    </message>
    <message>
        <source>No run was deleted.</source>
        <translation>Kein Lauf wurde gelöscht.</translation>
    </message>
    <message>
        <source>The web page is in %1.</source>
        <translation>Die Webseite steht in %1.</translation>
    </message>
    <message>
        <source>Not written: %1</source>
        <translation>Nicht geschrieben: %1</translation>
    </message>
    <message>
        <source>Share as a web page</source>
        <translation>Als Webseite teilen</translation>
    </message>
    <message>
        <source>Web pages (*.html)</source>
        <translation>Webseiten (*.html)</translation>
    </message>
    <message>
        <source>&amp;Web page…</source>
        <translation>&amp;Webseite…</translation>
    </message>
    <message>
        <source>One file to send around: the timeline to move, zoom and play in any browser, without a network.</source>
        <translation>Eine Datei zum Verschicken: die Zeitleiste zum Bewegen, Zoomen und Abspielen in jedem Browser, ohne Netz.</translation>
    </message>
    <message>
        <source>No schedule is in front.</source>
        <translation>Kein Ablaufplan ist vorn.</translation>
    </message>
    <message>
        <source>Costs from &amp;model and machine…</source>
        <translation>Kosten aus &amp;Modell und Maschine…</translation>
    </message>
    <message>
        <source>Times and bytes of a transformer on a machine</source>
        <translation>Zeiten und Bytes eines Transformers auf einer Maschine</translation>
    </message>
    <message>
        <source>Stage &amp;table…</source>
        <translation>&amp;Stufentabelle…</translation>
    </message>
    <message>
        <source>Times and bytes of every stage</source>
        <translation>Zeiten und Bytes jeder Stufe</translation>
    </message>
    <message>
        <source>Costs from a &amp;file…</source>
        <translation>K&amp;osten aus Datei…</translation>
    </message>
    <message>
        <source>Latency and bandwidth of messages, and the network over time</source>
        <translation>Latenz und Bandbreite der Nachrichten und das Netz im Zeitverlauf</translation>
    </message>
    <message>
        <source>Back to &amp;equal stages</source>
        <translation>Wieder &amp;gleiche Stufen</translation>
    </message>
    <message>
        <source>One time for every stage; the mean, where they differ</source>
        <translation>Eine Zeit für jede Stufe; das Mittel, wo sie sich unterscheiden</translation>
    </message>
    <message>
        <source>All stages are equal.</source>
        <translation>Alle Stufen sind gleich.</translation>
    </message>
    <message>
        <source>P&amp;in for comparison</source>
        <translation>Zum Vergleich an&amp;heften</translation>
    </message>
    <message>
        <source>Other schedules are held against this one.</source>
        <translation>Andere Ablaufpläne werden an diesem gemessen.</translation>
    </message>
    <message>
        <source>Schedules are held against %1.</source>
        <translation>Ablaufpläne werden an %1 gemessen.</translation>
    </message>
    <message>
        <source>Take the pin &amp;away</source>
        <translation>Nicht mehr anhe&amp;ften</translation>
    </message>
    <message>
        <source>No schedule is pinned.</source>
        <translation>Kein Ablaufplan ist angeheftet.</translation>
    </message>
    <message>
        <source>No schedule is in front. Choose a family in the palette, or open a project: its shape, its costs and what is selected are shown here.</source>
        <translation>Kein Ablaufplan ist vorn. In der Palette eine Familie wählen oder ein Projekt öffnen: Form, Kosten und Gewähltes erscheinen hier.</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>Ablaufplan</translation>
    </message>
    <message>
        <source>Shows or hides this chart below the timeline.</source>
        <translation>Zeigt oder verbirgt dieses Diagramm unter der Zeitleiste.</translation>
    </message>
    <message>
        <source>C&amp;harts</source>
        <translation>&amp;Diagramme</translation>
    </message>
    <message>
        <source>&amp;Find passes…</source>
        <translation>Durchläufe s&amp;uchen…</translation>
    </message>
    <message>
        <source>Find ne&amp;xt</source>
        <translation>Weitersu&amp;chen</translation>
    </message>
    <message>
        <source>Find pre&amp;vious</source>
        <translation>Rückwä&amp;rts suchen</translation>
    </message>
    <message>
        <source>&amp;Play</source>
        <translation>Abs&amp;pielen</translation>
    </message>
    <message>
        <source>A cursor goes over the timeline and a line says what happens.</source>
        <translation>Ein Zeiger wandert über die Zeitleiste, und eine Zeile sagt, was geschieht.</translation>
    </message>
    <message>
        <source>To the &amp;next event</source>
        <translation>Zum &amp;nächsten Ereignis</translation>
    </message>
    <message>
        <source>C&amp;lear markers</source>
        <translation>Marken &amp;löschen</translation>
    </message>
    <message>
        <source>Takes away A and B; Esc does it, too.</source>
        <translation>Nimmt A und B weg; Esc auch.</translation>
    </message>
    <message>
        <source>There is no marker.</source>
        <translation>Es gibt keine Marke.</translation>
    </message>
    <message>
        <source>&amp;Everything</source>
        <translation>&amp;Alles</translation>
    </message>
    <message>
        <source>Ctrl+0</source>
        <translation>Ctrl+0</translation>
    </message>
    <message>
        <source>&amp;Critical path</source>
        <translation>&amp;Kritischer Pfad</translation>
    </message>
    <message>
        <source>Ctrl+Shift+C</source>
        <translation>Ctrl+Shift+C</translation>
    </message>
    <message>
        <source>Colour by &amp;micro-batch</source>
        <translation>Farbe nach &amp;Micro-Batch</translation>
    </message>
    <message>
        <source>Ctrl+Shift+M</source>
        <translation>Ctrl+Shift+M</translation>
    </message>
    <message>
        <source>&amp;Whole micro-batch of the selected pass</source>
        <translation>&amp;Ganzer Micro-Batch des gewählten Durchlaufs</translation>
    </message>
    <message>
        <source>Outlines the passes of the same micro-batch on all devices.</source>
        <translation>Umrandet die Durchläufe desselben Micro-Batches auf allen Geräten.</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>D&amp;unkel</translation>
    </message>
    <message>
        <source>Ctrl+Shift+D</source>
        <translation>Ctrl+Shift+D</translation>
    </message>
    <message>
        <source>&amp;Commands…</source>
        <translation>&amp;Befehle…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+P</source>
        <translation>Ctrl+Shift+P</translation>
    </message>
    <message>
        <source>Searches everything the window can do.</source>
        <translation>Durchsucht alles, was das Fenster kann.</translation>
    </message>
    <message>
        <source>Ctrl+P</source>
        <translation>Ctrl+P</translation>
    </message>
    <message>
        <source>&amp;Keys</source>
        <translation>&amp;Tasten</translation>
    </message>
    <message>
        <source>?</source>
        <translation>?</translation>
    </message>
    <message>
        <source>All keys on one sheet.</source>
        <translation>Alle Tasten auf einem Blatt.</translation>
    </message>
    <message>
        <source>Ctrl+Shift+I</source>
        <translation>Ctrl+Shift+I</translation>
    </message>
    <message>
        <source>Ends the search; what was found stays.</source>
        <translation>Beendet die Suche; Gefundenes bleibt.</translation>
    </message>
    <message>
        <source>Nothing is being improved.</source>
        <translation>Es wird nichts verbessert.</translation>
    </message>
    <message>
        <source>Ctrl+Shift+L</source>
        <translation>Ctrl+Shift+L</translation>
    </message>
    <message>
        <source>Looks for the best parallelism, layer split and schedule for a model on a cluster.</source>
        <translation>Sucht für ein Modell auf einem Cluster Parallelität, Schichtteilung und Ablaufplan, die am besten sind.</translation>
    </message>
    <message>
        <source>Ctrl+Shift+G</source>
        <translation>Ctrl+Shift+G</translation>
    </message>
    <message>
        <source>The run is not there yet.</source>
        <translation>Der Lauf ist noch nicht da.</translation>
    </message>
    <message>
        <source>No schedule and no run is in front.</source>
        <translation>Weder Ablaufplan noch Lauf ist vorn.</translation>
    </message>
    <message>
        <source>The schedule is empty.</source>
        <translation>Der Ablaufplan ist leer.</translation>
    </message>
    <message>
        <source>Ctrl+Shift+W</source>
        <translation>Ctrl+Shift+W</translation>
    </message>
    <message>
        <source>Predicts the schedule or the run in front with another link, family, number of devices or micro-batches.</source>
        <translation>Sagt den vorderen Ablaufplan oder Lauf mit anderer Leitung, Familie, Zahl der Geräte oder Micro-Batches voraus.</translation>
    </message>
    <message>
        <source>Explain</source>
        <translation>Erklären</translation>
    </message>
    <message>
        <source>E&amp;xplain</source>
        <translation>Er&amp;klären</translation>
    </message>
    <message>
        <source>Ctrl+Shift+X</source>
        <translation>Ctrl+Shift+X</translation>
    </message>
    <message>
        <source>Three sentences with the numbers of this schedule: on the idle time under the pointer, or on the selected pass.</source>
        <translation>Drei Sätze mit den Zahlen dieses Ablaufplans: zum Leerlauf unter dem Zeiger oder zum gewählten Durchlauf.</translation>
    </message>
    <message>
        <source>Traces (%1);;All files (*)</source>
        <translation>Traces (%1);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>The lesson is in %1.</source>
        <translation>Die Lektion ist in %1.</translation>
    </message>
    <message>
        <source>Save the lesson</source>
        <translation>Lektion speichern</translation>
    </message>
    <message>
        <source>Add to a lesson</source>
        <translation>Zu einer Lektion hinzufügen</translation>
    </message>
    <message>
        <source>Reading what the run took …</source>
        <translation>Zeiten des Laufs werden gelesen …</translation>
    </message>
    <message>
        <source>Handout</source>
        <translation>Arbeitsblatt</translation>
    </message>
    <message>
        <source>PDF (*.pdf)</source>
        <translation>PDF (*.pdf)</translation>
    </message>
    <message>
        <source>The handout is in %1.</source>
        <translation>Das Arbeitsblatt ist in %1.</translation>
    </message>
    <message>
        <source>Makes a lesson file of the schedule or the run in front: its times are locked, its order is to be reached or beaten.</source>
        <translation>Macht aus dem vorderen Ablaufplan oder Lauf eine Lektionsdatei: seine Zeiten sind fest, seine Reihenfolge ist zu erreichen oder zu schlagen.</translation>
    </message>
    <message>
        <source>&amp;Edit this step…</source>
        <translation>Schritt &amp;bearbeiten…</translation>
    </message>
    <message>
        <source>&amp;Handout as PDF…</source>
        <translation>Arbeitsbla&amp;tt als PDF…</translation>
    </message>
    <message>
        <source>The lesson on paper, with lanes to draw in and the solutions behind.</source>
        <translation>Die Lektion auf Papier, mit Spuren zum Zeichnen und den Lösungen am Ende.</translation>
    </message>
    <message>
        <source>Show what is &amp;ready</source>
        <translation>Zeigen, was be&amp;reit ist</translation>
    </message>
    <message>
        <source>Ctrl+Alt+G</source>
        <translation>Ctrl+Alt+G</translation>
    </message>
    <message>
        <source>Passes that can come next stand palely in their lanes.</source>
        <translation>Durchläufe, die als Nächstes kommen können, stehen blass in ihren Spuren.</translation>
    </message>
    <message>
        <source>Place the &amp;first of them</source>
        <translation>Ersten davon &amp;platzieren</translation>
    </message>
    <message>
        <source>Ctrl+Alt+P</source>
        <translation>Ctrl+Alt+P</translation>
    </message>
    <message>
        <source>Run until a &amp;choice</source>
        <translation>Bis zur &amp;Wahl laufen</translation>
    </message>
    <message>
        <source>Ctrl+Alt+R</source>
        <translation>Ctrl+Alt+R</translation>
    </message>
    <message>
        <source>Places passes as long as a device has only one that can come next.</source>
        <translation>Platziert Durchläufe, solange auf einem Gerät nur einer als Nächstes kommen kann.</translation>
    </message>
    <message>
        <source>In another lan&amp;guage</source>
        <translation>In anderer &amp;Sprache</translation>
    </message>
    <message>
        <source>The next language that the open lesson has.</source>
        <translation>Die nächste Sprache der offenen Lektion.</translation>
    </message>
    <message>
        <source>No level is open.</source>
        <translation>Kein Level ist offen.</translation>
    </message>
    <message>
        <source>The order is not what is free in this level.</source>
        <translation>In diesem Level ist die Reihenfolge nicht frei.</translation>
    </message>
    <message>
        <source>This lesson has one language.</source>
        <translation>Diese Lektion hat nur eine Sprache.</translation>
    </message>
    <message>
        <source>you</source>
        <translation>eigene Lösung</translation>
    </message>
    <message>
        <source>Place %1</source>
        <translation>%1 platzieren</translation>
    </message>
    <message>
        <source>%1 on device %2.</source>
        <translation>%1 auf Gerät %2.</translation>
    </message>
    <message>
        <source>No pass can come next.</source>
        <translation>Kein Durchlauf kann als Nächstes kommen.</translation>
    </message>
    <message>
        <source>Ask the store in &amp;SQL</source>
        <translation>Ablage in S&amp;QL fragen</translation>
    </message>
    <message>
        <source>Puts a question to the runs and traces that are kept; they are only read.</source>
        <translation>Stellt eine Frage an die abgelegten Läufe und Traces; sie werden nur gelesen.</translation>
    </message>
    <message>
        <source>Share as an animation</source>
        <translation>Als Animation teilen</translation>
    </message>
    <message>
        <source>Animations (*.gif *.mp4)</source>
        <translation>Animationen (*.gif *.mp4)</translation>
    </message>
    <message>
        <source>Making the pictures …</source>
        <translation>Bilder werden gemacht …</translation>
    </message>
    <message>
        <source>The animation is in %1.</source>
        <translation>Die Animation ist in %1.</translation>
    </message>
    <message>
        <source>&amp;Animation…</source>
        <translation>&amp;Animation…</translation>
    </message>
    <message>
        <source>How the timeline is played, as a GIF, or as an MP4 where ffmpeg is installed.</source>
        <translation>Wie die Zeitleiste abgespielt wird, als GIF, oder als MP4, wo ffmpeg installiert ist.</translation>
    </message>
    <message>
        <source>There is nothing to play.</source>
        <translation>Es gibt nichts abzuspielen.</translation>
    </message>
    <message>
        <source>P&amp;lan…</source>
        <translation>&amp;Planen…</translation>
    </message>
    <message>
        <source>&amp;What if…</source>
        <translation>W&amp;as wäre, wenn…</translation>
    </message>
    <message>
        <source>A&amp;daptive k…</source>
        <translation>A&amp;daptives k…</translation>
    </message>
    <message>
        <source>kFkB whose k follows the network: simulated, and run on the connection with k and the network over time.</source>
        <translation>kFkB, dessen k dem Netz folgt: simuliert und über die Verbindung ausgeführt, mit k und Netz im Zeitverlauf.</translation>
    </message>
    <message>
        <source>Comm&amp;unication</source>
        <translation>Kommu&amp;nikation</translation>
    </message>
    <message>
        <source>Ctrl+Shift+U</source>
        <translation>Ctrl+Shift+U</translation>
    </message>
    <message>
        <source>Opens every device into its passes, sends, receives and gathers, as an engine executes them; they can be moved.</source>
        <translation>Zerlegt jedes Gerät in Durchläufe, Senden, Empfangen und Sammeln, wie eine Engine sie ausführt; sie lassen sich verschieben.</translation>
    </message>
    <message>
        <source>&amp;Noise</source>
        <translation>&amp;Rauschen</translation>
    </message>
    <message>
        <source>&amp;Time of the passes…</source>
        <translation>&amp;Zeit der Durchläufe…</translation>
    </message>
    <message>
        <source>Gives the selected passes a time of their own; a double click on a pass does it, too.</source>
        <translation>Gibt den gewählten Durchläufen eine eigene Zeit; ein Doppelklick auf einen Durchlauf auch.</translation>
    </message>
    <message>
        <source>&amp;Recompute</source>
        <translation>&amp;Neu berechnen</translation>
    </message>
    <message>
        <source>Runs the forwards of the selected passes once more before their backwards, which keeps less meanwhile.</source>
        <translation>Führt die Forwards der gewählten Durchläufe vor ihren Backwards noch einmal aus; dazwischen wird so weniger gehalten.</translation>
    </message>
    <message>
        <source>&amp;Keep activations</source>
        <translation>&amp;Aktivierungen halten</translation>
    </message>
    <message>
        <source>Takes the recomputation of the selected passes away.</source>
        <translation>Nimmt die Neuberechnung der gewählten Durchläufe weg.</translation>
    </message>
    <message>
        <source>&amp;Memory limit of the device…</source>
        <translation>&amp;Speichergrenze des Geräts…</translation>
    </message>
    <message>
        <source>What the device of the selected pass holds at most.</source>
        <translation>Was das Gerät des gewählten Durchlaufs höchstens hält.</translation>
    </message>
    <message>
        <source>Selected passes</source>
        <translation>Gewählte Durchläufe</translation>
    </message>
    <message>
        <source>Show &amp;everything of this run</source>
        <translation>All&amp;es von diesem Lauf zeigen</translation>
    </message>
    <message>
        <source>Opens all kernels, operators, counters and arrows of an imported run as rows.</source>
        <translation>Öffnet alle Kernel, Operatoren, Zähler und Pfeile eines importierten Laufs als Zeilen.</translation>
    </message>
    <message>
        <source>No run is in front: open the run whose trace is to be shown.</source>
        <translation>Zeigt den Trace eines Laufs: erst einen öffnen.</translation>
    </message>
    <message>
        <source>This run was not imported from a trace.</source>
        <translation>Dieser Lauf wurde nicht aus einem Trace importiert.</translation>
    </message>
    <message>
        <source>an order of no family</source>
        <translation>eine Reihenfolge keiner Familie</translation>
    </message>
    <message>
        <source>no proposal reaches this confidence, so the run has no passes</source>
        <translation>kein Vorschlag ist so sicher, darum hat er keine Durchläufe</translation>
    </message>
    <message>
        <source>without its passes: %1</source>
        <translation>ohne seine Durchläufe: %1</translation>
    </message>
    <message>
        <source>Keeping the trace in %1…</source>
        <translation>Der Trace wird in %1 behalten …</translation>
    </message>
    <message>
        <source>Kept as run %1 in %2: %3.</source>
        <translation>Als Lauf %1 in %2 behalten: %3.</translation>
    </message>
    <message>
        <source>Reading the trace of run %1…</source>
        <translation>Der Trace von Lauf %1 wird gelesen …</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>Times, kinds and memory are given in a level.</source>
        <translation>Zeiten, Arten und Speicher sind in einem Level vorgegeben.</translation>
    </message>
    <message>
        <source>Pr&amp;actice: another level</source>
        <translation>Üb&amp;ung: noch ein Level</translation>
    </message>
    <message>
        <source>A small level with random times, another one each time; its par is proven like all others.</source>
        <translation>Ein kleines Level mit zufälligen Zeiten, jedes Mal ein anderes; sein Par ist bewiesen wie alle anderen.</translation>
    </message>
    <message>
        <source>Placed: %1. %2</source>
        <translation>Gesetzt: %1. %2</translation>
    </message>
    <message>
        <source>It has what somebody did in lessons. The command pipewright lesson results makes a table of a folder with such files.</source>
        <translation>Sie enthält, was jemand in Lektionen getan hat. Der Befehl pipewright lesson results macht aus einem Ordner solcher Dateien eine Tabelle.</translation>
    </message>
    <message>
        <source>It has rules for the names of traces. The dialog that imports a trace takes it.</source>
        <translation>Sie enthält Regeln für die Namen von Traces. Der Dialog, der einen Trace importiert, nimmt sie.</translation>
    </message>
    <message>
        <source>&amp;Offload to the host</source>
        <translation>Auf den H&amp;ost auslagern</translation>
    </message>
    <message>
        <source>Copies the activations of the selected passes to the host&apos;s memory after their forwards, and back for their backwards.</source>
        <translation>Kopiert die Aktivierungen der gewählten Durchläufe nach ihren Forwards in den Speicher des Hosts, und für ihre Backwards zurück.</translation>
    </message>
    <message>
        <source>Keep on the &amp;device</source>
        <translation>Auf dem Ge&amp;rät behalten</translation>
    </message>
    <message>
        <source>Leaves the activations of the selected passes on their device.</source>
        <translation>Lässt die Aktivierungen der gewählten Durchläufe auf ihrem Gerät.</translation>
    </message>
    <message>
        <source>Offload what is &amp;hidden</source>
        <translation>&amp;Verdecktes auslagern</translation>
    </message>
    <message>
        <source>Offloads every activation whose copies no pass waits for, and no other.</source>
        <translation>Lagert jede Aktivierung aus, auf deren Kopien kein Durchlauf wartet, und keine andere.</translation>
    </message>
    <message>
        <source>Offload as much as the limits &amp;need</source>
        <translation>Auslagern, was die &amp;Grenzen brauchen</translation>
    </message>
    <message>
        <source>Offloads as few stages as the memory limits need, of what no pass waits for.</source>
        <translation>Lagert so wenige Stufen aus, wie die Speichergrenzen brauchen, von dem, worauf kein Durchlauf wartet.</translation>
    </message>
    <message>
        <source>&amp;Link to the host…</source>
        <translation>&amp;Leitung zum Host…</translation>
    </message>
    <message>
        <source>What a device&apos;s link to the host&apos;s memory carries.</source>
        <translation>Was die Leitung eines Geräts zum Speicher des Hosts trägt.</translation>
    </message>
    <message>
        <source>Plan of sail-s&amp;g (JSON)…</source>
        <translation>Plan von sail-s&amp;g (JSON)…</translation>
    </message>
    <message>
        <source>Plans of sail-sg (*.sail.json)</source>
        <translation>Pläne von sail-sg (*.sail.json)</translation>
    </message>
    <message>
        <source>My &amp;medals…</source>
        <translation>Meine &amp;Medaillen…</translation>
    </message>
    <message>
        <source>All lessons and levels: what is solved, which medals are won, and the way there.</source>
        <translation>Alle Lektionen und Levels: was gelöst ist, welche Medaillen gewonnen sind, und der Weg dorthin.</translation>
    </message>
    <message>
        <source>Plans of sail-sg (*.json *.txt *.log)</source>
        <translation>Pläne von sail-sg (*.json *.txt *.log)</translation>
    </message>
    <message>
        <source>New level</source>
        <translation>Neues Level</translation>
    </message>
    <message>
        <source>Edit the step</source>
        <translation>Schritt bearbeiten</translation>
    </message>
    <message>
        <source>The timeline alone on the whole screen, large: → and ← go from event to event, Space plays, N turns the cards of the notes, L is a laser pointer, Esc leaves.</source>
        <translation>Die Zeitleiste allein auf dem ganzen Bildschirm, groß: → und ← gehen von Ereignis zu Ereignis, die Leertaste spielt ab, N blättert in den Karten der Notizen, L ist ein Laserpointer, Esc beendet.</translation>
    </message>
    <message>
        <source>← → step · Space play · L pointer · Esc leave</source>
        <translation>← → Schritt · Leertaste spielen · L Zeiger · Esc Ende</translation>
    </message>
    <message>
        <source>← → step · Space play · N card · C cards away · L pointer · Esc leave</source>
        <translation>← → Schritt · Leertaste spielen · N Karte · C Karten weg · L Zeiger · Esc Ende</translation>
    </message>
    <message>
        <source>A&amp;nnotate</source>
        <translation>A&amp;nmerkungen</translation>
    </message>
    <message>
        <source>&amp;Text</source>
        <translation>&amp;Text</translation>
    </message>
    <message>
        <source>Writes something over the lanes. It stays with the file, moves with the pass it is put on, and is in figures.</source>
        <translation>Schreibt etwas über die Spuren. Es bleibt in der Datei, bewegt sich mit dem Durchlauf, auf den es gesetzt wird, und steht auch in Abbildungen.</translation>
    </message>
    <message>
        <source>&amp;Arrow</source>
        <translation>&amp;Pfeil</translation>
    </message>
    <message>
        <source>Draws an arrow from some words to what they speak of.</source>
        <translation>Zeichnet einen Pfeil von einigen Wörtern zu dem, wovon sie sprechen.</translation>
    </message>
    <message>
        <source>&amp;Bracket</source>
        <translation>&amp;Klammer</translation>
    </message>
    <message>
        <source>Draws a bracket along a lane, over a stretch of time.</source>
        <translation>Zeichnet eine Klammer an einer Spur entlang, über eine Zeitspanne.</translation>
    </message>
    <message>
        <source>&amp;Region</source>
        <translation>&amp;Bereich</translation>
    </message>
    <message>
        <source>Marks a stretch of time on one or several lanes.</source>
        <translation>Hebt eine Zeitspanne auf einer oder mehreren Spuren hervor.</translation>
    </message>
    <message>
        <source>&amp;Next annotation</source>
        <translation>&amp;Nächste Anmerkung</translation>
    </message>
    <message>
        <source>Selects the next annotation; arrow keys move it, Enter changes its text, Del removes it.</source>
        <translation>Wählt die nächste Anmerkung; Pfeiltasten verschieben sie, Enter ändert ihren Text, Entf entfernt sie.</translation>
    </message>
    <message>
        <source>&amp;Edit text…</source>
        <translation>Te&amp;xt ändern…</translation>
    </message>
    <message>
        <source>Changes the text of the selected annotation; a double click does it, too.</source>
        <translation>Ändert den Text der gewählten Anmerkung; ein Doppelklick tut es auch.</translation>
    </message>
    <message>
        <source>The colour of the selected annotation.</source>
        <translation>Die Farbe der gewählten Anmerkung.</translation>
    </message>
    <message>
        <source>Re&amp;move annotation</source>
        <translation>Anmerkung &amp;entfernen</translation>
    </message>
    <message>
        <source>Takes the selected annotation away; Del does it, too.</source>
        <translation>Nimmt die gewählte Anmerkung weg; Entf tut es auch.</translation>
    </message>
    <message>
        <source>Nothing has been changed here yet.</source>
        <translation>Hier wurde noch nichts geändert.</translation>
    </message>
    <message>
        <source>Nothing has been undone.</source>
        <translation>Es wurde nichts rückgängig gemacht.</translation>
    </message>
    <message>
        <source>Looking for what no order goes below …</source>
        <translation>Sucht, was keine Ordnung unterbietet …</translation>
    </message>
    <message>
        <source>The executor measures what passes take. Then the run appears here as it happens.</source>
        <translation>Der Executor misst, was Durchläufe dauern. Dann erscheint der Lauf hier, während er geschieht.</translation>
    </message>
    <message>
        <source>The executor gets ready. Then the run appears here as it happens.</source>
        <translation>Der Executor bereitet sich vor. Dann erscheint der Lauf hier, während er geschieht.</translation>
    </message>
    <message>
        <source>The first pass has not ended yet.</source>
        <translation>Der erste Durchlauf ist noch nicht zu Ende.</translation>
    </message>
    <message>
        <source>Stopped before the first pass.</source>
        <translation>Vor dem ersten Durchlauf angehalten.</translation>
    </message>
    <message>
        <source>No pass has come.</source>
        <translation>Kein Durchlauf ist angekommen.</translation>
    </message>
    <message>
        <source>Tabs</source>
        <translation>Reiter</translation>
    </message>
    <message>
        <source>&amp;Take these times, improve, run again</source>
        <translation>&amp;Diese Zeiten übernehmen, verbessern, erneut ausführen</translation>
    </message>
    <message>
        <source>The measured times become the costs of the schedule, a better order is looked for with them and run, and both runs are compared.</source>
        <translation>Die gemessenen Zeiten werden zu den Kosten des Ablaufplans; mit ihnen wird eine bessere Reihenfolge gesucht und ausgeführt, und beide Läufe werden verglichen.</translation>
    </message>
    <message>
        <source>No run is in front: run the schedule, or open a run.</source>
        <translation>Kein Lauf ist vorn: Führen Sie den Ablaufplan aus, oder öffnen Sie einen Lauf.</translation>
    </message>
    <message>
        <source>Compare with &amp;before</source>
        <translation>Mit vorher verglei&amp;chen</translation>
    </message>
    <message>
        <source>Lays the schedule over what it was before it was edited, improved or given other costs.</source>
        <translation>Legt den Ablaufplan über das, was er war, bevor er bearbeitet oder verbessert wurde oder andere Kosten bekam.</translation>
    </message>
    <message>
        <source>Nothing was changed in this schedule yet.</source>
        <translation>An diesem Ablaufplan wurde noch nichts geändert.</translation>
    </message>
    <message>
        <source>It is %1.</source>
        <translation>Es ist %1.</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>Find &amp;in the palette</source>
        <translation>In der &amp;Palette suchen</translation>
    </message>
    <message>
        <source>Free ed&amp;it</source>
        <translation>&amp;Freies Bearbeiten</translation>
    </message>
    <message>
        <source>Finis&amp;h the rest</source>
        <translation>Rest &amp;ergänzen</translation>
    </message>
    <message>
        <source>New empt&amp;y timeline</source>
        <translation>Neue leere &amp;Zeitleiste</translation>
    </message>
    <message>
        <source>Impro&amp;ve</source>
        <translation>&amp;Verbessern</translation>
    </message>
    <message>
        <source>Stop improvin&amp;g</source>
        <translation>Verbessern s&amp;toppen</translation>
    </message>
    <message>
        <source>New le&amp;vel from this…</source>
        <translation>Neues Le&amp;vel hieraus…</translation>
    </message>
    <message>
        <source>Less&amp;ons</source>
        <translation>Le&amp;ktionen</translation>
    </message>
    <message>
        <source>Open a lesson f&amp;ile…</source>
        <translation>Lektions&amp;datei öffnen…</translation>
    </message>
    <message>
        <source>&amp;Save my results…</source>
        <translation>Meine &amp;Ergebnisse speichern…</translation>
    </message>
    <message>
        <source>Panel&amp;s</source>
        <translation>&amp;Bereiche</translation>
    </message>
    <message>
        <source>Run settin&amp;gs</source>
        <translation>&amp;Einstellungen des Laufs</translation>
    </message>
    <message>
        <source>Kept as a%1, beside the runs.</source>
        <translation>Behalten als a%1, bei den Läufen.</translation>
    </message>
    <message>
        <source>Link&amp;s…</source>
        <translation>&amp;Leitungen…</translation>
    </message>
    <message>
        <source>To the event befo&amp;re</source>
        <translation>Zum v&amp;origen Ereignis</translation>
    </message>
    <message>
        <source>End pla&amp;ying</source>
        <translation>Abspielen b&amp;eenden</translation>
    </message>
    <message>
        <source>Marks all passes that are meant by F3, BW2.1, mb 3, stage 2 …; in a trace, what has such a name.</source>
        <translation>Markiert alle Durchläufe, die mit F3, BW2.1, mb 3, stage 2 … gemeint sind; in einem Trace, was so heißt.</translation>
    </message>
    <message>
        <source>A – B: %1, difference %2</source>
        <translation>A – B: %1, Unterschied %2</translation>
    </message>
    <message>
        <source>B – A: %1, difference %2</source>
        <translation>B – A: %1, Unterschied %2</translation>
    </message>
    <message>
        <source>Show the &amp;job of this run</source>
        <translation>&amp;Job dieses Laufs zeigen</translation>
    </message>
    <message>
        <source>No run is in front: open the run whose job is to be shown.</source>
        <translation>Kein Lauf ist vorn: öffnen Sie den Lauf, dessen Job gezeigt werden soll.</translation>
    </message>
    <message>
        <source>The trace of this job is not there.</source>
        <translation>Der Trace dieses Jobs ist nicht da.</translation>
    </message>
    <message>
        <source>Run %1 has nothing to compare: neither several replicas nor three whole steps.</source>
        <translation>Lauf %1 hat nichts zu vergleichen: weder mehrere Replikate noch drei ganze Schritte.</translation>
    </message>
    <message>
        <source>&amp;Advice…</source>
        <translation>Ratschl&amp;äge…</translation>
    </message>
    <message>
        <source>Ctrl+Shift+A</source>
        <translation>Ctrl+Shift+A</translation>
    </message>
    <message>
        <source>Says why a step of the run or the schedule in front takes so long, and what would make it shorter.</source>
        <translation>Sagt, warum ein Schritt des Laufs oder des Ablaufplans vorn so lange dauert und was ihn kürzer machen würde.</translation>
    </message>
    <message>
        <source>Opens replicas, stages and steps of a run beside each other: who is slow, why, and what repairs would gain.</source>
        <translation>Öffnet Replikate, Stufen und Schritte eines Laufs nebeneinander: wer langsam ist, warum, und was Reparaturen brächten.</translation>
    </message>
    <message>
        <source>All that can be opened (*.pipewright.json *.json *.csv *.txt *.family *.json.gz *.sqlite)</source>
        <translation>Alles, was sich öffnen lässt (*.pipewright.json *.json *.csv *.txt *.family *.json.gz *.sqlite)</translation>
    </message>
    <message>
        <source>The level of this step is not open.</source>
        <translation>Der Level dieses Schritts ist nicht offen.</translation>
    </message>
    <message>
        <source>Other words, goals, start and demonstration for the step that is open, in a file of your own.</source>
        <translation>Andere Worte, Ziele, Anfang und Vorführung für den offenen Schritt, in einer eigenen Datei.</translation>
    </message>
    <message>
        <source>Move a layer</source>
        <translation>Schicht verschieben</translation>
    </message>
    <message>
        <source>Alternatives</source>
        <translation>Alternativen</translation>
    </message>
    <message>
        <source>Alt&amp;ernatives…</source>
        <translation>Alt&amp;ernativen …</translation>
    </message>
    <message>
        <source>Every other way to run the schedule or the run in front: families by time and memory, what-ifs, noise, better orders, sweeps.</source>
        <translation>Alle anderen Wege für den Ablaufplan oder Lauf vorn: Familien nach Zeit und Speicher, Was-wäre-wenn, Rauschen, bessere Ordnungen, Reihen.</translation>
    </message>
    <message>
        <source>Building block</source>
        <translation>Baustein</translation>
    </message>
    <message>
        <source>Select and move</source>
        <translation>Auswählen und verschieben</translation>
    </message>
    <message>
        <source>Find</source>
        <translation>Suchen</translation>
    </message>
    <message>
        <source>Better order</source>
        <translation>Bessere Ordnung</translation>
    </message>
    <message>
        <source>New</source>
        <translation>Neu</translation>
    </message>
    <message>
        <source>Import</source>
        <translation>Importieren</translation>
    </message>
    <message>
        <source>Improving: %1 now, at least %2 in any order.</source>
        <translation>Wird verbessert: jetzt %1, mindestens %2 in jeder Ordnung.</translation>
    </message>
    <message>
        <source>Improving: %1 now.</source>
        <translation>Wird verbessert: jetzt %1.</translation>
    </message>
    <message>
        <source>Looks for a shorter order of the same passes; each one that is found is a step of the history. Alternatives has its fields.</source>
        <translation>Sucht eine kürzere Ordnung derselben Durchläufe; jede, die gefunden wird, ist ein Schritt im Verlauf. Die Felder dafür stehen bei den Alternativen.</translation>
    </message>
    <message>
        <source>Make lessons</source>
        <translation>Lektionen machen</translation>
    </message>
    <message>
        <source>In a level</source>
        <translation>In einer Stufe</translation>
    </message>
    <message>
        <source>My progress</source>
        <translation>Mein Fortschritt</translation>
    </message>
    <message>
        <source>Runs the schedule many times with passes and messages that vary: bands in the charts. Alternatives says how far the makespan spreads, and what the end depends on.</source>
        <translation>Führt den Ablaufplan viele Male mit Durchläufen und Nachrichten aus, die schwanken: Bänder in den Diagrammen. Die Alternativen sagen, wie weit die Gesamtdauer streut und wovon das Ende abhängt.</translation>
    </message>
    <message>
        <source>Measured times</source>
        <translation>Gemessene Zeiten</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>Kept runs</source>
        <translation>Aufbewahrte Läufe</translation>
    </message>
    <message>
        <source>Costs</source>
        <translation>Kosten</translation>
    </message>
    <message>
        <source>Play</source>
        <translation>Abspielen</translation>
    </message>
    <message>
        <source>On the lanes</source>
        <translation>Auf den Spuren</translation>
    </message>
    <message>
        <source>rank %1, iteration %2</source>
        <translation>Rang %1, Iteration %2</translation>
    </message>
    <message>
        <source>Reading the trace of rank %1…</source>
        <translation>Die Aufzeichnung von Rang %1 wird gelesen …</translation>
    </message>
    <message>
        <source>your guess: %1</source>
        <translation>deine Vermutung: %1</translation>
    </message>
    <message>
        <source>What “pipewright costs calibrate” measured</source>
        <translation>Was „pipewright costs calibrate“ gemessen hat</translation>
    </message>
    <message>
        <source>%1 was read on %2; its kernels are summed up.</source>
        <translation>%1 wurde auf %2 gelesen; die Kernel sind zusammengezählt.</translation>
    </message>
    <message>
        <source>Open from another &amp;machine…</source>
        <translation>Von einem anderen &amp;Rechner öffnen…</translation>
    </message>
    <message>
        <source>Over ssh: a trace is read where it lies, other files come here.</source>
        <translation>Über ssh: Eine Aufzeichnung wird gelesen, wo sie liegt, andere Dateien kommen hierher.</translation>
    </message>
    <message>
        <source>What&apos;s new</source>
        <translation>Was neu ist</translation>
    </message>
    <message>
        <source>What is new in Pipewright %1</source>
        <translation>Was neu ist in Pipewright %1</translation>
    </message>
    <message>
        <source>This is Pipewright %1; Help ▸ What&apos;s new says what has changed since %2.</source>
        <translation>Das ist Pipewright %1; Hilfe ▸ Was neu ist sagt, was sich seit %2 geändert hat.</translation>
    </message>
    <message>
        <source>What&apos;s &amp;new</source>
        <translation>Was &amp;neu ist</translation>
    </message>
    <message>
        <source>What the newest version has changed.</source>
        <translation>Was die neueste Version geändert hat.</translation>
    </message>
    <message>
        <source>Co&amp;nnections</source>
        <translation>&amp;Verbindungen</translation>
    </message>
    <message>
        <source>ssh machines executors Slurm PyTorch</source>
        <translation>ssh Rechner Ausführer Slurm PyTorch</translation>
    </message>
    <message>
        <source>Charts below the timeline</source>
        <translation>Kurven unter der Zeitachse</translation>
    </message>
    <message>
        <source>Lessons</source>
        <translation>Lektionen</translation>
    </message>
    <message>
        <source>Keyboard</source>
        <translation>Tastatur</translation>
    </message>
    <message>
        <source>shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>A&amp;bout</source>
        <translation>Übe&amp;r</translation>
    </message>
</context>
<context>
    <name>pw::ui::ManualView</name>
    <message>
        <source>Page of the manual</source>
        <translation>Seite des Handbuchs</translation>
    </message>
</context>
<context>
    <name>pw::ui::ManualWindow</name>
    <message>
        <source>Back</source>
        <translation>Zurück</translation>
    </message>
    <message>
        <source>Alt+Left</source>
        <translation>Alt+Left</translation>
    </message>
    <message>
        <source>Forward</source>
        <translation>Vorwärts</translation>
    </message>
    <message>
        <source>Alt+Right</source>
        <translation>Alt+Right</translation>
    </message>
    <message>
        <source>Manual</source>
        <translation>Handbuch</translation>
    </message>
    <message>
        <source>Search the manual</source>
        <translation>Handbuch durchsuchen</translation>
    </message>
    <message>
        <source>Enter goes to the next place, Shift+Enter to the one before.</source>
        <translation>Enter geht zur nächsten Stelle, Umschalt+Enter zur vorigen.</translation>
    </message>
    <message>
        <source>Pages</source>
        <translation>Seiten</translation>
    </message>
    <message>
        <source>There is no page “%1”.</source>
        <translation>Eine Seite „%1“ gibt es nicht.</translation>
    </message>
    <message>
        <source>No page has a line with all of these words.</source>
        <translation>Keine Seite hat eine Zeile mit all diesen Wörtern.</translation>
    </message>
    <message>
        <source>%1 with all of these words.</source>
        <translation>%1 mit all diesen Wörtern.</translation>
    </message>
    <message>
        <source>%1 — Manual</source>
        <translation>%1 — Handbuch</translation>
    </message>
</context>
<context>
    <name>pw::ui::MedalCard</name>
    <message>
        <source>par %1</source>
        <translation>Par %1</translation>
    </message>
    <message>
        <source>you: %1</source>
        <translation>erreicht: %1</translation>
    </message>
    <message>
        <source>best: %1</source>
        <translation>beste: %1</translation>
    </message>
</context>
<context>
    <name>pw::ui::MedalsDialog</name>
    <message>
        <source>won</source>
        <translation>gewonnen</translation>
    </message>
    <message>
        <source>not won yet</source>
        <translation>noch nicht gewonnen</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Solved: %1 of %2 levels. Medals: %3 of %4; time %5, memory %6, messages %7. Tries: %8. Hints: %9.</source>
        <translation>Gelöst: %1 von %2 Levels. Medaillen: %3 von %4; Zeit %5, Speicher %6, Nachrichten %7. Versuche: %8. Tipps: %9.</translation>
    </message>
    <message>
        <source>My medals</source>
        <translation>Meine Medaillen</translation>
    </message>
    <message>
        <source>lesson and level</source>
        <translation>Lektion und Level</translation>
    </message>
    <message>
        <source>solved</source>
        <translation>gelöst</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>tries</source>
        <translation>Versuche</translation>
    </message>
    <message>
        <source>hints</source>
        <translation>Tipps</translation>
    </message>
    <message>
        <source>trick</source>
        <translation>Kniff</translation>
    </message>
    <message>
        <source>Lessons and their levels</source>
        <translation>Lektionen und ihre Levels</translation>
    </message>
    <message>
        <source>A click or Enter goes to a lesson or level. ● a medal that is won, ○ one that is still to be won.</source>
        <translation>Ein Klick oder Enter führt zu einer Lektion oder einem Level. ● eine gewonnene Medaille, ○ eine, die noch zu gewinnen ist.</translation>
    </message>
    <message>
        <source>&amp;Save my results…</source>
        <translation>Meine Ergebnisse &amp;speichern…</translation>
    </message>
    <message>
        <source>Level %1: %2</source>
        <translation>Level %1: %2</translation>
    </message>
    <message>
        <source>Comes later: finish or skip what is before it, or unlock all lessons.</source>
        <translation>Kommt später: erst die Lektionen davor lösen oder überspringen, oder alle freischalten.</translation>
    </message>
    <message>
        <source>Levels of files, and practice</source>
        <translation>Levels aus Dateien, und Übungen</translation>
    </message>
    <message>
        <source>%1, level %2</source>
        <translation>%1, Level %2</translation>
    </message>
</context>
<context>
    <name>pw::ui::ModelDialog</name>
    <message>
        <source>16 bit, gradients and master in 32</source>
        <translation>16 Bit, Gradienten und Master in 32</translation>
    </message>
    <message>
        <source>16 bit, gradients too</source>
        <translation>16 Bit, auch Gradienten</translation>
    </message>
    <message>
        <source>32 bit</source>
        <translation>32 Bit</translation>
    </message>
    <message>
        <source>%1 billion</source>
        <translation>%1 Milliarden</translation>
    </message>
    <message>
        <source>%1 million</source>
        <translation>%1 Millionen</translation>
    </message>
    <message>
        <source>Times and bytes from a model and a machine</source>
        <translation>Zeiten und Bytes aus Modell und Maschine</translation>
    </message>
    <message>
        <source>device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>F
ms</source>
        <translation>F
ms</translation>
    </message>
    <message>
        <source>B
ms</source>
        <translation>B
ms</translation>
    </message>
    <message>
        <source>W
ms</source>
        <translation>W
ms</translation>
    </message>
    <message>
        <source>R
ms</source>
        <translation>R
ms</translation>
    </message>
    <message>
        <source>activation
MiB</source>
        <translation>Aktivierung
MiB</translation>
    </message>
    <message>
        <source>weights …
MiB</source>
        <translation>Gewichte …
MiB</translation>
    </message>
    <message>
        <source>Weights, gradients and optimizer</source>
        <translation>Gewichte, Gradienten und Optimierer</translation>
    </message>
    <message>
        <source>What comes out for every stage</source>
        <translation>Ergebnis für jede Stufe</translation>
    </message>
    <message>
        <source>from a file…</source>
        <translation>aus Datei …</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>&amp;Modell</translation>
    </message>
    <message>
        <source>&amp;Layers</source>
        <translation>&amp;Schichten</translation>
    </message>
    <message>
        <source>&amp;Hidden size</source>
        <translation>&amp;Hidden Size</translation>
    </message>
    <message>
        <source>Hea&amp;ds</source>
        <translation>Hea&amp;ds</translation>
    </message>
    <message>
        <source>Attention heads; they divide the hidden size</source>
        <translation>Attention-Heads; sie teilen die Hidden Size</translation>
    </message>
    <message>
        <source>&amp;Key heads</source>
        <translation>&amp;Key-Heads</translation>
    </message>
    <message>
        <source>Heads of keys and values</source>
        <translation>Heads von Keys und Values</translation>
    </message>
    <message>
        <source>MLP &amp;width</source>
        <translation>MLP-Br&amp;eite</translation>
    </message>
    <message>
        <source>as heads</source>
        <translation>wie Heads</translation>
    </message>
    <message>
        <source>4 × hidden</source>
        <translation>4 × Hidden</translation>
    </message>
    <message>
        <source>Se&amp;quence</source>
        <translation>Se&amp;quenz</translation>
    </message>
    <message>
        <source>Tokens of a sample</source>
        <translation>Tokens einer Probe</translation>
    </message>
    <message>
        <source>&amp;Vocabulary</source>
        <translation>&amp;Vokabular</translation>
    </message>
    <message>
        <source>Micro-&amp;batch</source>
        <translation>Micro-&amp;Batch</translation>
    </message>
    <message>
        <source>Samples in a micro-batch</source>
        <translation>Proben in einem Micro-Batch</translation>
    </message>
    <message>
        <source>&amp;Tensor parallel</source>
        <translation>&amp;Tensor-parallel</translation>
    </message>
    <message>
        <source>Accelerators that make one device of the pipeline</source>
        <translation>Beschleuniger, die ein Gerät der Pipeline bilden</translation>
    </message>
    <message>
        <source>Data &amp;parallel</source>
        <translation>Date&amp;n-parallel</translation>
    </message>
    <message>
        <source>Replicas of the whole pipeline; their gradients are summed once a step</source>
        <translation>Replikate der ganzen Pipeline; ihre Gradienten werden einmal je Schritt summiert</translation>
    </message>
    <message>
        <source>P&amp;recision</source>
        <translation>&amp;Genauigkeit</translation>
    </message>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>attention scores</source>
        <translation>Attention-Scores</translation>
    </message>
    <message>
        <source>all but a layer&apos;s input</source>
        <translation>alles außer der Eingabe einer Schicht</translation>
    </message>
    <message>
        <source>What a layer forgets after F and computes again</source>
        <translation>Was eine Schicht nach F vergisst und neu berechnet</translation>
    </message>
    <message>
        <source>Rec&amp;ompute</source>
        <translation>Neube&amp;rechnung</translation>
    </message>
    <message>
        <source>&amp;Flash attention</source>
        <translation>&amp;Flash Attention</translation>
    </message>
    <message>
        <source>Scores are never stored</source>
        <translation>Scores werden nie gespeichert</translation>
    </message>
    <message>
        <source>&amp;Gated MLP</source>
        <translation>Gated ML&amp;P</translation>
    </message>
    <message>
        <source>Three matrices in the MLP instead of two (SwiGLU)</source>
        <translation>Drei Matrizen im MLP statt zwei (SwiGLU)</translation>
    </message>
    <message>
        <source>Tied &amp;embedding</source>
        <translation>Geb&amp;undenes Embedding</translation>
    </message>
    <message>
        <source>The output layer uses the embedding&apos;s weights</source>
        <translation>Die Ausgabeschicht verwendet die Gewichte des Embeddings</translation>
    </message>
    <message>
        <source>Sequence parallel</source>
        <translation>Sequenz-parallel</translation>
    </message>
    <message>
        <source>What tensor parallelism does not split by heads is split by tokens</source>
        <translation>Was Tensor-Parallelität nicht nach Heads teilt, wird nach Tokens geteilt</translation>
    </message>
    <message>
        <source>Distributed optimizer</source>
        <translation>Verteilter Optimierer</translation>
    </message>
    <message>
        <source>Each replica holds its part of the optimizer&apos;s bytes</source>
        <translation>Jedes Replikat hält seinen Teil der Optimierer-Bytes</translation>
    </message>
    <message>
        <source>M&amp;achine</source>
        <translation>M&amp;aschine</translation>
    </message>
    <message>
        <source>Layers of the stages: even; ends (one less at both ends); counts such as 7,8,8,7; or a layout such as E|t*8|t*8L</source>
        <translation>Schichten der Stufen: even; ends (je eine weniger an den Enden); Anzahlen wie 7,8,8,7; oder ein Layout wie E|t*8|t*8L</translation>
    </message>
    <message>
        <source>Layer &amp;split</source>
        <translation>Schi&amp;chtteilung</translation>
    </message>
    <message>
        <source>as the model says</source>
        <translation>wie im Modell</translation>
    </message>
    <message>
        <source>Open a model</source>
        <translation>Modell öffnen</translation>
    </message>
    <message>
        <source>Models (*.json)</source>
        <translation>Modelle (*.json)</translation>
    </message>
    <message>
        <source>%1, changed</source>
        <translation>%1, geändert</translation>
    </message>
    <message>
        <source> + embedding</source>
        <translation> + Embedding</translation>
    </message>
    <message>
        <source> + output</source>
        <translation> + Ausgabe</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source>%1 parameters; %2 tokens in a micro-batch.</source>
        <translation>%1 Parameter; %2 Tokens in einem Micro-Batch.</translation>
    </message>
    <message>
        <source>Device %1 holds %2 of %3 before the first micro-batch.</source>
        <translation>Gerät %1 hält %2 von %3 vor dem ersten Micro-Batch.</translation>
    </message>
    <message>
        <source>An activation of %1 takes %2 from device 0 to device 1.</source>
        <translation>Eine Aktivierung von %1 braucht %2 von Gerät 0 zu Gerät 1.</translation>
    </message>
</context>
<context>
    <name>pw::ui::NoisePanel</name>
    <message>
        <source>Devices wait for the slowest of them, so noise makes runs longer on average, too.</source>
        <translation>Ein Gerät, das wartet, wartet auf das langsamste: So macht Rauschen Läufe auch im Mittel länger.</translation>
    </message>
    <message>
        <source>%</source>
        <translation>%</translation>
    </message>
    <message>
        <source>Passes ±</source>
        <translation>Durchläufe ±</translation>
    </message>
    <message>
        <source>Standard deviation of each pass, in per cent of its time.</source>
        <translation>Standardabweichung jedes Durchlaufs, in Prozent seiner Zeit.</translation>
    </message>
    <message>
        <source>Messages ±</source>
        <translation>Nachrichten ±</translation>
    </message>
    <message>
        <source>Standard deviation of each message, in per cent of its time.</source>
        <translation>Standardabweichung jeder Nachricht, in Prozent ihrer Zeit.</translation>
    </message>
    <message>
        <source>Devices ±</source>
        <translation>Geräte ±</translation>
    </message>
    <message>
        <source>Standard deviation of a factor that a device keeps for a whole run.</source>
        <translation>Standardabweichung eines Faktors, den ein Gerät einen ganzen Lauf lang behält.</translation>
    </message>
    <message>
        <source>What the end depends on</source>
        <translation>Wovon das Ende abhängt</translation>
    </message>
    <message>
        <source>10 % slower</source>
        <translation>10 % langsamer</translation>
    </message>
    <message>
        <source>end later</source>
        <translation>später</translation>
    </message>
    <message>
        <source>How much longer the mean run becomes where this alone is slower.</source>
        <translation>Wie viel länger der mittlere Lauf wird, wenn nur dies langsamer ist.</translation>
    </message>
    <message>
        <source>Running it many times …</source>
        <translation>Läuft viele Male …</translation>
    </message>
    <message>
        <source>Nine of ten runs take %1 to %2; without noise %3. The mean is %4 longer.</source>
        <translation>Neun von zehn: %1 bis %2; ohne Rauschen %3; Mittel %4 länger.</translation>
    </message>
    <message>
        <source>device %1</source>
        <translation>Gerät %1</translation>
    </message>
    <message>
        <source>Where the passes of device %1 take %2 longer, the mean run ends %3 later.</source>
        <translation>Dauern die Durchläufe von Gerät %1 um %2 länger, endet der mittlere Lauf %3 später.</translation>
    </message>
    <message>
        <source>link %1 → %2, ×2</source>
        <translation>Leitung %1 → %2, ×2</translation>
    </message>
    <message>
        <source>Where messages from device %1 to device %2 take twice as long, the mean run ends %3 later.</source>
        <translation>Dauern Nachrichten von Gerät %1 zu Gerät %2 doppelt so lang, endet der mittlere Lauf %3 später.</translation>
    </message>
</context>
<context>
    <name>pw::ui::NoisePart</name>
    <message>
        <source>%1 has too many passes to be looked at here; open it.</source>
        <translation>%1 hat zu viele Durchläufe, um hier betrachtet zu werden; öffnen Sie es.</translation>
    </message>
    <message>
        <source>%1 was measured: its noise is in it already. Choose a schedule.</source>
        <translation>%1 wurde gemessen: Das Rauschen steckt schon darin. Wählen Sie einen Ablaufplan.</translation>
    </message>
</context>
<context>
    <name>pw::ui::NoteView</name>
    <message>
        <source>The card before (Shift+N)</source>
        <translation>Vorige Karte (Umschalt+N)</translation>
    </message>
    <message>
        <source>The next card (N)</source>
        <translation>Nächste Karte (N)</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>Card %1 of %2</source>
        <translation>Karte %1 von %2</translation>
    </message>
</context>
<context>
    <name>pw::ui::NotesPanel</name>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>No schedule is open.</source>
        <translation>Kein Ablaufplan ist offen.</translation>
    </message>
    <message>
        <source>On the stage every paragraph is a card: @12 at its beginning is a step of the play, @3.5 ms a time, # a heading.</source>
        <translation>Beim Vorführen ist jeder Absatz eine Karte: @12 an seinem Anfang ist ein Schritt des Abspielens, @3.5 ms eine Zeit, # eine Überschrift.</translation>
    </message>
    <message>
        <source>What is worth remembering of this schedule. On the stage (F11) every paragraph is a card.</source>
        <translation>Was zu diesem Ablaufplan zu merken ist. Beim Vorführen (F11) ist jeder Absatz eine Karte.</translation>
    </message>
</context>
<context>
    <name>pw::ui::NumberTable</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 to %2 %3</source>
        <translation>%1 bis %2 %3</translation>
    </message>
    <message>
        <source>%1 needs a number, %2</source>
        <translation>%1 braucht eine Zahl, %2</translation>
    </message>
    <message>
        <source>%1 is a number, %2, not “%3”</source>
        <translation>%1 ist eine Zahl, %2, nicht „%3“</translation>
    </message>
    <message>
        <source>%1 is %2; %3</source>
        <translation>%1 ist %2; %3</translation>
    </message>
    <message>
        <source>Choose the cell where the first pasted number belongs.</source>
        <translation>Die Zelle wählen, in die die erste eingefügte Zahl gehört.</translation>
    </message>
    <message>
        <source>There is nothing to paste.</source>
        <translation>Es gibt nichts einzufügen.</translation>
    </message>
    <message>
        <source>%1 of what was pasted found no place in the table.</source>
        <translation>%1 des Eingefügten fanden in der Tabelle keinen Platz.</translation>
    </message>
    <message>
        <source> and </source>
        <translation> und </translation>
    </message>
    <message>
        <source>missing</source>
        <translation>fehlt</translation>
    </message>
    <message>
        <source>Of a whole stage: it is entered at the stage&apos;s first segment.</source>
        <translation>Einer ganzen Stufe: Sie wird beim ersten Segment der Stufe eingetragen.</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1, refused: %2</source>
        <translation>%1, abgelehnt: %2</translation>
    </message>
    <message>
        <source>not given</source>
        <translation>ohne Angabe</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>pw::ui::Overview</name>
    <message>
        <source>Overview</source>
        <translation>Übersicht</translation>
    </message>
</context>
<context>
    <name>pw::ui::OwnTimesDialog</name>
    <message>
        <source>Own times</source>
        <translation>Eigene Zeiten</translation>
    </message>
    <message>
        <source>What all stages of a device take and hold together, for one micro-batch. A stage has its part of it.</source>
        <translation>Was alle Stufen eines Geräts zusammen für einen Micro-Batch dauern und halten. Eine Stufe hat ihren Teil davon.</translation>
    </message>
    <message>
        <source>&amp;Forward, F</source>
        <translation>&amp;Vorwärts, F</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>&amp;Backward for the input, B</source>
        <translation>&amp;Rückwärts für die Eingabe, B</translation>
    </message>
    <message>
        <source>Backward for the &amp;weights, W</source>
        <translation>Rückwärts für die &amp;Gewichte, W</translation>
    </message>
    <message>
        <source>&amp;Message between devices</source>
        <translation>&amp;Nachricht zwischen Geräten</translation>
    </message>
    <message>
        <source>&amp;Activation</source>
        <translation>A&amp;ktivierung</translation>
    </message>
    <message>
        <source>MiB</source>
        <translation>MiB</translation>
    </message>
</context>
<context>
    <name>pw::ui::Page</name>
    <message>
        <source>No timeline is in front.</source>
        <translation>Keine Zeitleiste ist vorn.</translation>
    </message>
</context>
<context>
    <name>pw::ui::PageBar</name>
    <message>
        <source>Open pages</source>
        <translation>Offene Seiten</translation>
    </message>
    <message>
        <source>Close this tab</source>
        <translation>Diesen Tab schließen</translation>
    </message>
</context>
<context>
    <name>pw::ui::PaintDialog</name>
    <message>
        <source>Paint a pass</source>
        <translation>Durchlauf markieren</translation>
    </message>
    <message>
        <source>the only one</source>
        <translation>der einzige</translation>
    </message>
    <message>
        <source>Find others like it</source>
        <translation>Ähnliche suchen</translation>
    </message>
    <message>
        <source>Kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Stage</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>%1 kernels begin between %2. The example is kept with your rules, and passes of other traces with the same kernels follow it too.</source>
        <translation>%1 Kernel beginnen zwischen %2. Das Beispiel kommt zu den eigenen Regeln; ihm folgen auch Durchläufe anderer Traces mit denselben Kernels.</translation>
    </message>
</context>
<context>
    <name>pw::ui::PaletteModel</name>
    <message>
        <source>Families · %1</source>
        <translation>Familien · %1</translation>
    </message>
    <message>
        <source>Building blocks</source>
        <translation>Bausteine</translation>
    </message>
    <message>
        <source>%1 block</source>
        <translation>Baustein %1</translation>
    </message>
    <message>
        <source>One micro-batch, repeated at its interval</source>
        <translation>Ein Micro-Batch, in seinem Intervall wiederholt</translation>
    </message>
    <message>
        <source>Passes</source>
        <translation>Durchläufe</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>Forward</translation>
    </message>
    <message>
        <source>backward for the input</source>
        <translation>Backward der Eingabe</translation>
    </message>
    <message>
        <source>backward for the weights</source>
        <translation>Backward der Gewichte</translation>
    </message>
    <message>
        <source>backward for both</source>
        <translation>Backward für beides</translation>
    </message>
    <message>
        <source>recompute</source>
        <translation>Neuberechnung</translation>
    </message>
    <message>
        <source>optimizer update</source>
        <translation>Optimierer-Update</translation>
    </message>
    <message>
        <source>Block %1</source>
        <translation>Baustein %1</translation>
    </message>
    <message>
        <source>%1 · interval %2</source>
        <translation>%1 · Intervall %2</translation>
    </message>
    <message>
        <source>My blocks</source>
        <translation>Meine Bausteine</translation>
    </message>
    <message>
        <source>Families of this level</source>
        <translation>Familien dieses Levels</translation>
    </message>
</context>
<context>
    <name>pw::ui::PalettePanel</name>
    <message>
        <source>Search families, blocks, papers</source>
        <translation>Familien, Bausteine, Quellen suchen</translation>
    </message>
    <message>
        <source>Search the palette</source>
        <translation>Palette durchsuchen</translation>
    </message>
    <message>
        <source>Palette</source>
        <translation>Palette</translation>
    </message>
    <message>
        <source>Passes</source>
        <translation>Durchläufe</translation>
    </message>
    <message>
        <source>Micro-batches of a block</source>
        <translation>Micro-Batches eines Bausteins</translation>
    </message>
    <message>
        <source>A building block that is placed is repeated for so many micro-batches, behind those that are there.</source>
        <translation>Ein platzierter Baustein wird für so viele Micro-Batches wiederholt, hinter denen, die da sind.</translation>
    </message>
    <message>
        <source>&amp;Block for the next</source>
        <translation>Baustein fü&amp;r</translation>
    </message>
    <message>
        <source>micro-batches</source>
        <translation>Micro-Batches</translation>
    </message>
    <message>
        <source>Drag onto the timeline, or press Enter.</source>
        <translation>Auf die Zeitleiste ziehen oder Enter drücken.</translation>
    </message>
    <message>
        <source>Nothing here has “%1” in its name, what it does, or its paper.</source>
        <translation>Nichts hier hat „%1“ im Namen, in der Beschreibung oder der Quelle.</translation>
    </message>
    <message>
        <source>&amp;Place</source>
        <translation>&amp;Platzieren</translation>
    </message>
    <message>
        <source>&amp;Rename…</source>
        <translation>&amp;Umbenennen…</translation>
    </message>
    <message>
        <source>&amp;Delete</source>
        <translation>&amp;Löschen</translation>
    </message>
</context>
<context>
    <name>pw::ui::PassMenu</name>
    <message>
        <source>No pass is selected.</source>
        <translation>Kein Durchlauf ist gewählt.</translation>
    </message>
    <message>
        <source>Time of %1</source>
        <translation>Zeit von %1</translation>
    </message>
    <message>
        <source>%1 alone takes, whatever others of its stage take:</source>
        <translation>So lang dauert %1 allein, gleich was andere der Stufe dauern:</translation>
    </message>
    <message>
        <source>Each of the %1 takes:</source>
        <translation>Jeder der %1 dauert:</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>As in the table (%1)</source>
        <translation>Wie in der Tabelle (%1)</translation>
    </message>
    <message>
        <source>As in the table</source>
        <translation>Wie in der Tabelle</translation>
    </message>
    <message>
        <source>Memory limit of device %1</source>
        <translation>Speichergrenze von Gerät %1</translation>
    </message>
    <message>
        <source>Device %1 holds at most:</source>
        <translation>Gerät %1 hält höchstens:</translation>
    </message>
    <message>
        <source>GiB</source>
        <translation>GiB</translation>
    </message>
    <message>
        <source>No limit</source>
        <translation>Keine Grenze</translation>
    </message>
    <message>
        <source>Recompute %1</source>
        <translation>%1 neu berechnen</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source>No recomputation</source>
        <translation>Keine Neuberechnung</translation>
    </message>
    <message>
        <source>&amp;Time of %1…</source>
        <translation>&amp;Zeit von %1…</translation>
    </message>
    <message>
        <source>micro-batch %1 on stage %2</source>
        <translation>Micro-Batch %1 auf Stufe %2</translation>
    </message>
    <message>
        <source>%1 forwards</source>
        <translation>%1 Forwards</translation>
    </message>
    <message>
        <source>&amp;Recompute %1</source>
        <translation>%1 &amp;neu berechnen</translation>
    </message>
    <message>
        <source>&amp;Keep activations of %1</source>
        <translation>&amp;Aktivierungen von %1 halten</translation>
    </message>
    <message>
        <source>Recompute the whole &amp;stage %1</source>
        <translation>Ganze &amp;Stufe %1 neu berechnen</translation>
    </message>
    <message>
        <source>Keep &amp;activations of stage %1</source>
        <translation>Aktivierungen von St&amp;ufe %1 halten</translation>
    </message>
    <message>
        <source>&amp;Memory limit of device %1…</source>
        <translation>Speicher&amp;grenze von Gerät %1…</translation>
    </message>
    <message>
        <source>Offload %1</source>
        <translation>%1 auslagern</translation>
    </message>
    <message>
        <source>Keep %1 on the device</source>
        <translation>%1 auf dem Gerät behalten</translation>
    </message>
    <message>
        <source>Only of a whole schedule it is known which copies no pass waits for.</source>
        <translation>Nur bei einem ganzen Ablaufplan ist bekannt, auf welche Kopien kein Durchlauf wartet.</translation>
    </message>
    <message>
        <source>No activation could go to the host and be back in time: the passes between are too short for the copies.</source>
        <translation>Keine Aktivierung könnte zum Host gehen und rechtzeitig zurück sein: Die Durchläufe dazwischen sind zu kurz für die Kopien.</translation>
    </message>
    <message>
        <source>These activations go to the host already.</source>
        <translation>Diese Aktivierungen gehen schon zum Host.</translation>
    </message>
    <message>
        <source>Offload what is hidden</source>
        <translation>Verdecktes auslagern</translation>
    </message>
    <message>
        <source>Nothing has to go: all devices are within their limits.</source>
        <translation>Nichts muss gehen: Alle Geräte sind innerhalb ihrer Grenzen.</translation>
    </message>
    <message>
        <source>Offload as much as the limits need</source>
        <translation>Auslagern, was die Grenzen brauchen</translation>
    </message>
    <message>
        <source>Link to the host</source>
        <translation>Leitung zum Host</translation>
    </message>
    <message>
        <source>Between a device and its host, in either direction:</source>
        <translation>Zwischen einem Gerät und seinem Host, in jede Richtung:</translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation>GB/s</translation>
    </message>
    <message>
        <source>Usual (%1 GB/s)</source>
        <translation>Üblich (%1 GB/s)</translation>
    </message>
    <message>
        <source>&amp;Offload to the host</source>
        <translation>Auf den H&amp;ost auslagern</translation>
    </message>
    <message>
        <source>&amp;Offload %1 to the host</source>
        <translation>%1 auf den H&amp;ost auslagern</translation>
    </message>
    <message>
        <source>&amp;Keep %1 on the device</source>
        <translation>%1 auf dem Gerät &amp;behalten</translation>
    </message>
    <message>
        <source>Offload the whole &amp;stage %1</source>
        <translation>Die ganze &amp;Stufe %1 auslagern</translation>
    </message>
    <message>
        <source>Keep stage %1 on the &amp;device</source>
        <translation>Stufe %1 auf dem Ge&amp;rät behalten</translation>
    </message>
    <message>
        <source>Offload what is &amp;hidden, everywhere</source>
        <translation>Überall &amp;Verdecktes auslagern</translation>
    </message>
    <message>
        <source>Offload as much as the limits &amp;need</source>
        <translation>Auslagern, was die &amp;Grenzen brauchen</translation>
    </message>
    <message>
        <source>&amp;Link to the host…</source>
        <translation>&amp;Leitung zum Host…</translation>
    </message>
    <message>
        <source>Memory limit of every device</source>
        <translation>Speichergrenze jedes Geräts</translation>
    </message>
    <message>
        <source>Nothing has a size in bytes here, so activations are capped, of all devices alike. Each holds at most:</source>
        <translation>Hier hat nichts eine Größe in Bytes, also werden Aktivierungen begrenzt, auf allen Geräten gleich. Jedes hält höchstens:</translation>
    </message>
    <message>
        <source>micro-batches</source>
        <translation>Mikro-Batches</translation>
    </message>
</context>
<context>
    <name>pw::ui::PassTiles</name>
    <message>
        <source>%1, %2
Drag it onto a lane, or press it to place it behind the selected pass.</source>
        <translation>%1, %2
Auf eine Spur ziehen, oder drücken, um ihn hinter den gewählten Durchlauf zu setzen.</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>Forward</translation>
    </message>
    <message>
        <source>backward for the input</source>
        <translation>Backward der Eingabe</translation>
    </message>
    <message>
        <source>backward for the weights</source>
        <translation>Backward der Gewichte</translation>
    </message>
    <message>
        <source>backward for both</source>
        <translation>Backward für beides</translation>
    </message>
    <message>
        <source>recompute</source>
        <translation>Neuberechnung</translation>
    </message>
    <message>
        <source>optimizer update</source>
        <translation>Optimierer-Update</translation>
    </message>
</context>
<context>
    <name>pw::ui::PhaseBands</name>
    <message>
        <source>Phases</source>
        <translation>Phasen</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>warm-up</source>
        <translation>Anlauf</translation>
    </message>
    <message>
        <source>until every device has begun its first backward</source>
        <translation>bis jedes Gerät sein erstes Backward begonnen hat</translation>
    </message>
    <message>
        <source>until its first backward</source>
        <translation>bis zu seinem ersten Backward</translation>
    </message>
    <message>
        <source>steady</source>
        <translation>stetig</translation>
    </message>
    <message>
        <source>while all devices run forwards and backwards in turn</source>
        <translation>während alle Geräte abwechselnd Forwards und Backwards ausführen</translation>
    </message>
    <message>
        <source>forwards and backwards in turn</source>
        <translation>abwechselnd Forwards und Backwards</translation>
    </message>
    <message>
        <source>cool-down</source>
        <translation>Auslauf</translation>
    </message>
    <message>
        <source>from the end of the first device&apos;s last forward on</source>
        <translation>ab dem Ende des letzten Forwards des ersten Geräts</translation>
    </message>
    <message>
        <source>from the end of its last forward on</source>
        <translation>ab dem Ende seines letzten Forwards</translation>
    </message>
    <message>
        <source>%1, %2: %3</source>
        <translation>%1, %2: %3</translation>
    </message>
</context>
<context>
    <name>pw::ui::PlanFields</name>
    <message>
        <source>any</source>
        <translation>beliebig</translation>
    </message>
    <message>
        <source>&amp;Model</source>
        <translation>M&amp;odell</translation>
    </message>
    <message>
        <source>A preset, or the path of a model file.</source>
        <translation>Eine Vorlage oder der Pfad einer Modelldatei.</translation>
    </message>
    <message>
        <source>A&amp;ccelerator</source>
        <translation>GPU-T&amp;yp</translation>
    </message>
    <message>
        <source>&amp;GPUs</source>
        <translation>&amp;GPUs</translation>
    </message>
    <message>
        <source>Global &amp;batch</source>
        <translation>Globaler Bat&amp;ch</translation>
    </message>
    <message>
        <source>Samples of an iteration, over all replicas.</source>
        <translation>Proben einer Iteration, über alle Replikate.</translation>
    </message>
    <message>
        <source>Se&amp;quence</source>
        <translation>Se&amp;quenz</translation>
    </message>
    <message>
        <source>Tokens of a sample.</source>
        <translation>Token einer Probe.</translation>
    </message>
    <message>
        <source>Memor&amp;y</source>
        <translation>&amp;Speicher</translation>
    </message>
    <message>
        <source>data sheet</source>
        <translation>Datenblatt</translation>
    </message>
    <message>
        <source>Te&amp;nsor</source>
        <translation>Tenso&amp;r</translation>
    </message>
    <message>
        <source>Devices that share every layer.</source>
        <translation>Geräte, die sich jede Schicht teilen.</translation>
    </message>
    <message>
        <source>P&amp;ipeline</source>
        <translation>P&amp;ipeline</translation>
    </message>
    <message>
        <source>Devices in a pipeline.</source>
        <translation>Geräte in einer Pipeline.</translation>
    </message>
    <message>
        <source>&amp;Data</source>
        <translation>Dat&amp;en</translation>
    </message>
    <message>
        <source>Replicas.</source>
        <translation>Replikate.</translation>
    </message>
    <message>
        <source>Conte&amp;xt</source>
        <translation>Konte&amp;xt</translation>
    </message>
    <message>
        <source>Devices that share a sequence.</source>
        <translation>Geräte, die sich eine Sequenz teilen.</translation>
    </message>
    <message>
        <source>Ex&amp;pert</source>
        <translation>Ex&amp;perten</translation>
    </message>
    <message>
        <source>Devices that share the experts.</source>
        <translation>Geräte, die sich die Experten teilen.</translation>
    </message>
    <message>
        <source>Micro-batch si&amp;ze</source>
        <translation>Micro-Batch-Gr&amp;öße</translation>
    </message>
    <message>
        <source>Samples of a micro-batch.</source>
        <translation>Proben in einem Micro-Batch.</translation>
    </message>
    <message>
        <source>F&amp;amily</source>
        <translation>Fa&amp;milie</translation>
    </message>
    <message>
        <source>Chun&amp;ks</source>
        <translation>Chun&amp;ks</translation>
    </message>
    <message>
        <source>Stages of a device.</source>
        <translation>Stufen eines Geräts.</translation>
    </message>
    <message>
        <source>Recomp&amp;ute</source>
        <translation>Ne&amp;uberechnung</translation>
    </message>
    <message>
        <source>&amp;ZeRO</source>
        <translation>&amp;ZeRO</translation>
    </message>
    <message>
        <source>as the model</source>
        <translation>wie das Modell</translation>
    </message>
    <message>
        <source>What replicas share: 1 optimizer, 2 gradients, 3 weights too. As the model: 1 for those of today, else 0.</source>
        <translation>Was Replikate sich teilen: 1 Optimierer, 2 auch Gradienten, 3 auch Gewichte. Wie das Modell: 1 bei heutigen, sonst 0.</translation>
    </message>
    <message>
        <source>GPUs a node</source>
        <translation>GPUs je Knoten</translation>
    </message>
    <message>
        <source>Net&amp;work</source>
        <translation>Netz&amp;werk</translation>
    </message>
    <message>
        <source>GB/s</source>
        <translation>GB/s</translation>
    </message>
    <message>
        <source>From a node to the others, one direction.</source>
        <translation>Von einem Knoten zu den anderen, in einer Richtung.</translation>
    </message>
    <message>
        <source>Offload</source>
        <translation>Auslagern</translation>
    </message>
    <message>
        <source>none</source>
        <translation>ohne</translation>
    </message>
    <message>
        <source>what hides</source>
        <translation>was sich verbirgt</translation>
    </message>
    <message>
        <source>all activations</source>
        <translation>alle Aktivierungen</translation>
    </message>
    <message>
        <source>Activations that wait in the host&apos;s memory: as many as their copies hide under the passes, all, or whatever is best.</source>
        <translation>Aktivierungen, die im Speicher des Hosts warten: so viele, wie ihre Kopien sich unter den Durchläufen verbergen, alle, oder was am besten ist.</translation>
    </message>
    <message>
        <source>One kind, or several with their numbers, in the order in which pipelines go through them: h100:32,a100:32.</source>
        <translation>Eine Art oder mehrere mit ihrer Anzahl, in der Reihenfolge, in der Pipelines durch sie gehen: h100:32,a100:32.</translation>
    </message>
    <message>
        <source>As many as the kinds have together.</source>
        <translation>So viele, wie die Arten zusammen haben.</translation>
    </message>
    <message>
        <source>Accelerator: %1</source>
        <translation>Beschleuniger: %1</translation>
    </message>
    <message>
        <source>GiB</source>
        <translation>GiB</translation>
    </message>
    <message>
        <source>Of an accelerator: 80 for a card of 80 GB.</source>
        <translation>Einer GPU: 80 für eine Karte mit 80 GB.</translation>
    </message>
    <message>
        <source>Degrees of parallelism, family, memory and more: what is set there is not searched.</source>
        <translation>Grade der Parallelität, Familie, Speicher und mehr: Was dort gesetzt ist, wird nicht gesucht.</translation>
    </message>
    <message>
        <source>Narrow the search…</source>
        <translation>Suche eingrenzen …</translation>
    </message>
    <message>
        <source>Narrow the search… (%1 set)</source>
        <translation>Suche eingrenzen … (%1 gesetzt)</translation>
    </message>
    <message>
        <source>Memory: %1 GiB is not above the %2 GiB that context and libraries take.</source>
        <translation>Speicher: %1 GiB ist nicht mehr als die %2 GiB, die Kontext und Bibliotheken brauchen.</translation>
    </message>
    <message>
        <source>Any tries %1.</source>
        <translation>Beliebig probiert %1.</translation>
    </message>
    <message>
        <source>The others where they are chosen, or where none of these fits:</source>
        <translation>Die anderen nur, wenn sie gewählt sind oder keine von diesen passt:</translation>
    </message>
    <message>
        <source>Precision</source>
        <translation>Genauigkeit</translation>
    </message>
    <message>
        <source>Numbers that products with the layers&apos; weights read. How sure the times of an accelerator are differs from one to the other.</source>
        <translation>Zahlen, die Produkte mit den Gewichten der Schichten lesen. Wie sicher die Zeiten eines Beschleunigers sind, unterscheidet sich von einer zur anderen.</translation>
    </message>
</context>
<context>
    <name>pw::ui::PlanPage</name>
    <message>
        <source>Press Plan: all degrees of parallelism, micro-batch sizes, families, chunks, recomputation and layer splits are looked through. What you set above narrows the search.</source>
        <translation>Mit „Planen“ werden alle Grade der Parallelität, Micro-Batch-Größen, Familien, Chunks, Neuberechnungen und Schichtteilungen durchsucht. Was oben gesetzt ist, engt die Suche ein.</translation>
    </message>
    <message>
        <source>Plan</source>
        <translation>Planen</translation>
    </message>
    <message>
        <source>Planning …</source>
        <translation>Wird geplant …</translation>
    </message>
    <message>
        <source>%v of %m configurations, best %1 ms</source>
        <translation>%v von %m Konfigurationen, beste %1 ms</translation>
    </message>
    <message>
        <source>%v of %m configurations</source>
        <translation>%v von %m Konfigurationen</translation>
    </message>
    <message>
        <source>Stopping …</source>
        <translation>Wird angehalten …</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Ends the search with the best so far.</source>
        <translation>Beendet die Suche mit dem bisher Besten.</translation>
    </message>
    <message>
        <source>Looks for the best that fits.</source>
        <translation>Sucht das Beste, das passt.</translation>
    </message>
    <message>
        <source>Looking for configurations …</source>
        <translation>Konfigurationen werden gesucht …</translation>
    </message>
    <message>
        <source>Nothing can be planned so.</source>
        <translation>So lässt sich nichts planen.</translation>
    </message>
    <message>
        <source>%1 configurations, %2 simulated%3</source>
        <translation>%1 Konfigurationen, %2 simuliert%3</translation>
    </message>
    <message>
        <source>; the others cannot be among the first</source>
        <translation>; die übrigen können nicht vorn liegen</translation>
    </message>
    <message>
        <source>Stopped before anything that fits was found.</source>
        <translation>Angehalten, bevor etwas Passendes gefunden war.</translation>
    </message>
    <message>
        <source>Nothing fits.</source>
        <translation>Nichts passt.</translation>
    </message>
    <message>
        <source>It would fit on %1 GPUs.</source>
        <translation>Auf %1 GPUs würde es passen.</translation>
    </message>
    <message>
        <source>iteration, shorter is better</source>
        <translation>Iteration, kürzer ist besser</translation>
    </message>
    <message>
        <source> ms</source>
        <translation> ms</translation>
    </message>
    <message>
        <source>Peak memory of a device</source>
        <translation>Speicherspitze eines Geräts</translation>
    </message>
    <message>
        <source>Nothing is planned yet.</source>
        <translation>Noch nichts geplant.</translation>
    </message>
    <message>
        <source>Configuration</source>
        <translation>Konfiguration</translation>
    </message>
    <message>
        <source>Choose a row to see what its iteration consists of.</source>
        <translation>Zeile wählen, um zu sehen, woraus ihre Iteration besteht.</translation>
    </message>
    <message>
        <source>&amp;Open as a schedule</source>
        <translation>Als Ablauf&amp;plan öffnen</translation>
    </message>
    <message>
        <source>It would fit with activations in the host&apos;s memory (%1).</source>
        <translation>Es würde mit Aktivierungen im Speicher des Hosts passen (%1).</translation>
    </message>
    <message>
        <source>Opens the plan with these layers as a schedule.</source>
        <translation>Öffnet den Plan mit diesen Schichten als Ablaufplan.</translation>
    </message>
    <message>
        <source>%1 % slower than the row</source>
        <translation>%1 % langsamer als die Zeile</translation>
    </message>
    <message>
        <source>%1 % faster than the row</source>
        <translation>%1 % schneller als die Zeile</translation>
    </message>
    <message>
        <source>does not fit: %1</source>
        <translation>passt nicht: %1</translation>
    </message>
    <message>
        <source>Nothing fits: of the leanest, %1, %2.</source>
        <translation>Nichts passt: vom sparsamsten, %1, %2.</translation>
    </message>
    <message>
        <source>usable memory: %1</source>
        <translation>nutzbarer Speicher: %1</translation>
    </message>
    <message>
        <source>Plan · %1 on %2</source>
        <translation>Planung · %1 auf %2</translation>
    </message>
    <message>
        <source>Nothing fits: the leanest, %1, needs %2 GiB on a device that has %3 GiB.</source>
        <translation>Nichts passt: die sparsamste, %1, braucht %2 GiB auf einem Gerät mit %3 GiB.</translation>
    </message>
    <message>
        <source>usable memory %1 GiB</source>
        <translation>nutzbarer Speicher %1 GiB</translation>
    </message>
    <message>
        <source>%1 %2 GiB</source>
        <translation>%1 %2 GiB</translation>
    </message>
    <message>
        <source>It would fit with %1 GiB of memory.</source>
        <translation>Mit %1 GiB Speicher würde es passen.</translation>
    </message>
    <message>
        <source> GiB</source>
        <translation> GiB</translation>
    </message>
    <message>
        <source>%1: %2 ms, %3 GiB. Click opens it.</source>
        <translation>%1: %2 ms, %3 GiB. Klick öffnet.</translation>
    </message>
    <message>
        <source>Stage %1 on rank %2: %3, %4 ms a micro-batch; the rank holds %5 GiB.</source>
        <translation>Stufe %1 auf Rang %2: %3, %4 ms je Micro-Batch; der Rang hält %5 GiB.</translation>
    </message>
    <message>
        <source>Iteration %1 ms, fullest rank %2 GiB</source>
        <translation>Iteration %1 ms, vollster Rang %2 GiB</translation>
    </message>
    <message>
        <source>Drawing the plan …</source>
        <translation>Der Plan wird gezeichnet …</translation>
    </message>
    <message>
        <source>Open it as a schedule to see it run.</source>
        <translation>Öffnen Sie ihn als Ablaufplan, um zu sehen, wie er läuft.</translation>
    </message>
    <message>
        <source>There is no plan yet.</source>
        <translation>Es gibt noch keinen Plan.</translation>
    </message>
    <message>
        <source>Keeps the plan beside the runs, where it is opened again.</source>
        <translation>Behält den Plan bei den Läufen, wo er wieder geöffnet wird.</translation>
    </message>
    <message>
        <source>Kept as a%1, %2.</source>
        <translation>Behalten als a%1, %2.</translation>
    </message>
    <message>
        <source> The best took %1 ms.</source>
        <translation> Der beste brauchte %1 ms.</translation>
    </message>
    <message>
        <source> So it does now.</source>
        <translation> So auch jetzt.</translation>
    </message>
    <message>
        <source> It takes %1 ms now.</source>
        <translation> Jetzt braucht er %1 ms.</translation>
    </message>
    <message>
        <source>&amp;Keep this answer</source>
        <translation>Diese Ant&amp;wort behalten</translation>
    </message>
    <message>
        <source>; stopped, the best so far, of which %1 are proven</source>
        <translation>; abgebrochen, die besten bisher, davon %1 bewiesen</translation>
    </message>
</context>
<context>
    <name>pw::ui::PlanPicture</name>
    <message>
        <source>The chosen plan as it runs</source>
        <translation>Der gewählte Plan, wie er läuft</translation>
    </message>
</context>
<context>
    <name>pw::ui::Playback</name>
    <message>
        <source>, </source>
        <translation>, </translation>
    </message>
    <message>
        <source> and %1</source>
        <translation> und %1</translation>
    </message>
    <message>
        <source> with %1</source>
        <translation> mit %1</translation>
    </message>
    <message>
        <source>%1 starts %2</source>
        <translation>%1 beginnt %2</translation>
    </message>
    <message>
        <source>%1 ends %2</source>
        <translation>%1 beendet %2</translation>
    </message>
    <message>
        <source>%1 %2</source>
        <translation>%1 %2</translation>
    </message>
    <message>
        <source>%1 more start</source>
        <translation>%1 weitere beginnen</translation>
    </message>
    <message>
        <source>%1 more end</source>
        <translation>%1 weitere enden</translation>
    </message>
    <message>
        <source>%1 more is idle</source>
        <translation>%1 weiteres steht still</translation>
    </message>
    <message>
        <source>%1 more are idle</source>
        <translation>%1 weitere stehen still</translation>
    </message>
    <message>
        <source>all devices go on</source>
        <translation>alle Geräte arbeiten weiter</translation>
    </message>
    <message>
        <source>%1 of micro-batch %2 on stage %3</source>
        <translation>%1 von Micro-Batch %2 auf Stufe %3</translation>
    </message>
    <message>
        <source>Back to the event before (Shift+Left)</source>
        <translation>Zurück zum vorigen Ereignis (Umschalt+Links)</translation>
    </message>
    <message>
        <source>On to the next event (Shift+Right)</source>
        <translation>Weiter zum nächsten Ereignis (Umschalt+Rechts)</translation>
    </message>
    <message>
        <source>%1×</source>
        <translation>%1×</translation>
    </message>
    <message>
        <source>Speed</source>
        <translation>Tempo</translation>
    </message>
    <message>
        <source>Speed; at 1× about two passes a second</source>
        <translation>Tempo; bei 1× etwa zwei Durchläufe je Sekunde</translation>
    </message>
    <message>
        <source>Time of the cursor</source>
        <translation>Zeit des Zeigers</translation>
    </message>
    <message>
        <source>What happens</source>
        <translation>Was geschieht</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Pause (Space)</source>
        <translation>Pause (Leertaste)</translation>
    </message>
    <message>
        <source>Play (Space)</source>
        <translation>Abspielen (Leertaste)</translation>
    </message>
    <message>
        <source>%1 more starts</source>
        <translation>%1 weitere beginnen</translation>
    </message>
    <message>
        <source>%1 more ends</source>
        <translation>%1 weitere enden</translation>
    </message>
</context>
<context>
    <name>pw::ui::PreferencesDialog</name>
    <message>
        <source>The language changes at the next start.</source>
        <translation>Die Sprache wechselt beim nächsten Start.</translation>
    </message>
    <message>
        <source>Preferences</source>
        <translation>Einstellungen</translation>
    </message>
    <message>
        <source>As the desktop</source>
        <translation>Wie der Desktop</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>Hell</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>Dunkel</translation>
    </message>
    <message>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <source> s after a change</source>
        <translation> s nach einer Änderung</translation>
    </message>
    <message>
        <source>A copy of every changed schedule; after a crash it is offered at the next start.</source>
        <translation>Eine Kopie jedes geänderten Ablaufplans; nach einem Absturz wird sie beim nächsten Start angeboten.</translation>
    </message>
    <message>
        <source>Choose…</source>
        <translation>Wählen…</translation>
    </message>
    <message>
        <source>Choose the store of runs</source>
        <translation>Die Ablage der Läufe wählen</translation>
    </message>
    <message>
        <source>Usual place</source>
        <translation>Üblicher Ort</translation>
    </message>
    <message>
        <source>The usual store of runs</source>
        <translation>Die übliche Ablage der Läufe</translation>
    </message>
    <message>
        <source>&amp;Colours</source>
        <translation>&amp;Farben</translation>
    </message>
    <message>
        <source>&amp;Language</source>
        <translation>&amp;Sprache</translation>
    </message>
    <message>
        <source>Copy for a &amp;crash</source>
        <translation>Kopie für A&amp;bsturz</translation>
    </message>
    <message>
        <source>&amp;Store of runs</source>
        <translation>&amp;Ablage der Läufe</translation>
    </message>
    <message>
        <source>&amp;Families in files</source>
        <translation>Fa&amp;milien in Dateien</translation>
    </message>
    <message>
        <source>Every file *.family of this folder is a family, from the next start on.</source>
        <translation>Jede Datei *.family in diesem Ordner ist ab dem nächsten Start eine Familie.</translation>
    </message>
    <message>
        <source>Choose the folder of families</source>
        <translation>Den Ordner der Familien wählen</translation>
    </message>
    <message>
        <source>Families in files</source>
        <translation>Familien in Dateien</translation>
    </message>
    <message>
        <source>The usual folder of families</source>
        <translation>Der übliche Ordner der Familien</translation>
    </message>
    <message>
        <source>Appearance</source>
        <translation>Aussehen</translation>
    </message>
    <message>
        <source>theme light dark</source>
        <translation>Thema Design hell dunkel</translation>
    </message>
    <message>
        <source>Files and runs</source>
        <translation>Dateien und Läufe</translation>
    </message>
    <message>
        <source>autosave backup recovery</source>
        <translation>automatisch sichern Sicherung Wiederherstellung</translation>
    </message>
    <message>
        <source>database place folder</source>
        <translation>Datenbank Ort Ordner</translation>
    </message>
    <message>
        <source>place folder</source>
        <translation>Ort Ordner</translation>
    </message>
</context>
<context>
    <name>pw::ui::ProblemModel</name>
    <message>
        <source>ring</source>
        <translation>Ring</translation>
    </message>
    <message>
        <source>device %1</source>
        <translation>Gerät %1</translation>
    </message>
    <message>
        <source>%1, entry %2</source>
        <translation>%1, Eintrag %2</translation>
    </message>
    <message>
        <source>and %1 more</source>
        <translation>und %1 weitere</translation>
    </message>
    <message>
        <source>family</source>
        <translation>Familie</translation>
    </message>
    <message>
        <source>Place</source>
        <translation>Ort</translation>
    </message>
    <message>
        <source>What is wrong</source>
        <translation>Was falsch ist</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
</context>
<context>
    <name>pw::ui::ProblemsPanel</name>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>None. Every pass has its place.</source>
        <translation>Keine. Jeder Durchlauf hat seinen Platz.</translation>
    </message>
    <message>
        <source>No schedule is open.</source>
        <translation>Kein Ablaufplan ist offen.</translation>
    </message>
</context>
<context>
    <name>pw::ui::ProposalTable</name>
    <message>
        <source>Accept</source>
        <translation>Übernehmen</translation>
    </message>
    <message>
        <source>Passes proposed</source>
        <translation>Vorgeschlagene Durchläufe</translation>
    </message>
    <message>
        <source>pass</source>
        <translation>Durchlauf</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>from</source>
        <translation>ab</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>stage</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>sure</source>
        <translation>sicher</translation>
    </message>
    <message>
        <source>what speaks for it</source>
        <translation>was dafür spricht</translation>
    </message>
    <message>
        <source> % sure at least</source>
        <translation> % sicher mindestens</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>nothing looks like a pass; drag over one and paint it</source>
        <translation>nichts sieht nach einem Durchlauf aus; über einen ziehen und ihn markieren</translation>
    </message>
    <message>
        <source>&lt;qt&gt;Not known:&lt;br&gt;%1&lt;/qt&gt;</source>
        <translation>&lt;qt&gt;Unbekannt:&lt;br&gt;%1&lt;/qt&gt;</translation>
    </message>
    <message>
        <source>Keep as a run</source>
        <translation>Als Lauf behalten</translation>
    </message>
    <message>
        <source>Takes these proposals as passes: a row of their own, and colours.</source>
        <translation>Übernimmt diese Vorschläge als Durchläufe: eine eigene Zeile, und Farben.</translation>
    </message>
    <message>
        <source>Keeps the trace in the store, with these proposals as its passes, and opens it. Where their order is complete it is a timeline beside its plan, else the rows of the trace.</source>
        <translation>Behält den Trace in der Ablage, mit diesen Vorschlägen als Durchläufen, und öffnet ihn. Wo deren Reihenfolge vollständig ist, als Zeitleiste neben ihrem Plan, sonst als Zeilen des Trace.</translation>
    </message>
</context>
<context>
    <name>pw::ui::QueryPage</name>
    <message>
        <source>Ask</source>
        <translation>Fragen</translation>
    </message>
    <message>
        <source>Examples…</source>
        <translation>Beispiele…</translation>
    </message>
    <message>
        <source>Question in SQL</source>
        <translation>Frage in SQL</translation>
    </message>
    <message>
        <source>SELECT … ; Ctrl+Enter asks</source>
        <translation>SELECT … ; Strg+Eingabe fragt</translation>
    </message>
    <message>
        <source>The store is only read. Times are milliseconds.</source>
        <translation>Die Ablage wird nur gelesen. Zeiten sind Millisekunden.</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>Antwort</translation>
    </message>
    <message>
        <source>Asking…</source>
        <translation>Wird gefragt …</translation>
    </message>
    <message>
        <source>The first %1 rows, in %2 ms; there are more.</source>
        <translation>Die ersten %1 Zeilen, in %2 ms; es gibt mehr.</translation>
    </message>
    <message>
        <source>Rows: %1, in %2 ms.</source>
        <translation>Zeilen: %1, in %2 ms.</translation>
    </message>
    <message>
        <source>SQL</source>
        <translation>SQL</translation>
    </message>
    <message>
        <source>Views</source>
        <translation>Sichten</translation>
    </message>
    <message>
        <source>A table is not a figure.</source>
        <translation>Eine Tabelle ist keine Abbildung.</translation>
    </message>
</context>
<context>
    <name>pw::ui::QuestionCard</name>
    <message>
        <source>Before you go on: predict</source>
        <translation>Vor dem Weitergehen: vorhersagen</translation>
    </message>
    <message>
        <source>**Right.** %1</source>
        <translation>**Richtig.** %1</translation>
    </message>
    <message>
        <source>**Not quite.** %1</source>
        <translation>**Nicht ganz.** %1</translation>
    </message>
</context>
<context>
    <name>pw::ui::QuestionFields</name>
    <message>
        <source>own</source>
        <translation>eigene</translation>
    </message>
    <message>
        <source>&amp;Costs</source>
        <translation>&amp;Kosten</translation>
    </message>
    <message>
        <source>What passes take: as in the schedule, or of a model on a machine.</source>
        <translation>Was Durchläufe dauern: wie im Ablaufplan, oder für ein Modell auf einer Maschine.</translation>
    </message>
    <message>
        <source>&amp;Devices</source>
        <translation>&amp;Geräte</translation>
    </message>
    <message>
        <source>Micro-&amp;batches</source>
        <translation>M&amp;icro-Batches</translation>
    </message>
    <message>
        <source>GiB</source>
        <translation>GiB</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>With</source>
        <translation>Mit</translation>
    </message>
    <message>
        <source>se&amp;arches</source>
        <translation>S&amp;uchen</translation>
    </message>
    <message>
        <source>Also families that search for their order, which takes longer.</source>
        <translation>Auch Familien, die ihre Reihenfolge suchen; das dauert länger.</translation>
    </message>
    <message>
        <source>And</source>
        <translation>Und</translation>
    </message>
    <message>
        <source>&amp;noise</source>
        <translation>&amp;Rauschen</translation>
    </message>
    <message>
        <source>Times vary from run to run, as far as the tab Noise says; then rows are ordered by what 95 % of many runs stay below.</source>
        <translation>Zeiten schwanken von Lauf zu Lauf, so weit der Reiter Rauschen es sagt; die Zeilen sind dann danach geordnet, worunter 95 % vieler Läufe bleiben.</translation>
    </message>
    <message>
        <source>The schedule&apos;s costs are what they are; choose a model to have a machine.</source>
        <translation>Die Kosten des Ablaufplans stehen fest; für eine Maschine ein Modell wählen.</translation>
    </message>
    <message>
        <source>What the model runs on.</source>
        <translation>Worauf das Modell läuft.</translation>
    </message>
    <message>
        <source>mb</source>
        <translation>mb</translation>
    </message>
    <message>
        <source>Most memory of a device; 0: no limit</source>
        <translation>Höchster Speicher eines Geräts; 0: keine Grenze</translation>
    </message>
    <message>
        <source>Most activation of a device, in micro-batches; 0: no limit</source>
        <translation>Höchste Aktivierung eines Geräts, in Micro-Batches; 0: keine Grenze</translation>
    </message>
    <message>
        <source>Mach&amp;ine</source>
        <translation>Mas&amp;chine</translation>
    </message>
    <message>
        <source>Memor&amp;y limit</source>
        <translation>&amp;Speichergrenze</translation>
    </message>
</context>
<context>
    <name>pw::ui::RankChooser</name>
    <message>
        <source>all ranks</source>
        <translation>alle Ränge</translation>
    </message>
    <message>
        <source>Ranks that have rows</source>
        <translation>Ränge, die Zeilen haben</translation>
    </message>
    <message>
        <source>Ranks that have rows, such as 0-7, 42; empty: all.</source>
        <translation>Ränge, die Zeilen haben, etwa 0-7, 42; leer: alle.</translation>
    </message>
    <message>
        <source>What rows are grouped by</source>
        <translation>Wonach Zeilen gruppiert sind</translation>
    </message>
    <message>
        <source>Rows: rank</source>
        <translation>Zeilen: Rang</translation>
    </message>
    <message>
        <source>Rows: stage</source>
        <translation>Zeilen: Stufe</translation>
    </message>
    <message>
        <source>Rows: replica</source>
        <translation>Zeilen: Replikat</translation>
    </message>
    <message>
        <source>&apos;%1&apos; is not a list of ranks, such as 0-7, 42.</source>
        <translation>&apos;%1&apos; ist keine Liste von Rängen, etwa 0-7, 42.</translation>
    </message>
    <message>
        <source>no replica</source>
        <translation>kein Replikat</translation>
    </message>
    <message>
        <source>replica %1</source>
        <translation>Replikat %1</translation>
    </message>
    <message>
        <source>no stage</source>
        <translation>keine Stufe</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source>stages %1</source>
        <translation>Stufen %1</translation>
    </message>
</context>
<context>
    <name>pw::ui::Recovery</name>
    <message>
        <source>the folder %1 cannot be made</source>
        <translation>der Ordner %1 lässt sich nicht anlegen</translation>
    </message>
    <message>
        <source>no file can be written in the folder %1</source>
        <translation>im Ordner %1 lässt sich keine Datei schreiben</translation>
    </message>
    <message>
        <source>%1 cannot be moved to %2</source>
        <translation>%1 lässt sich nicht nach %2 verschieben</translation>
    </message>
</context>
<context>
    <name>pw::ui::RemoteDialog</name>
    <message>
        <source>Open from another machine</source>
        <translation>Von einem anderen Rechner öffnen</translation>
    </message>
    <message>
        <source>node, or ann@node, as ssh knows it</source>
        <translation>node oder ann@node, wie ssh ihn kennt</translation>
    </message>
    <message>
        <source>/data/run/rank0.json, or ~/run/rank0.json</source>
        <translation>/data/run/rank0.json oder ~/run/rank0.json</translation>
    </message>
    <message>
        <source>&amp;Bring the whole trace</source>
        <translation>Die &amp;ganze Aufzeichnung holen</translation>
    </message>
    <message>
        <source>A trace is read there where Pipewright is: a digest comes, with kernels summed up. Everything else comes whole. The studio asks for no password: ssh needs a key.</source>
        <translation>Eine Aufzeichnung wird dort gelesen, wo Pipewright ist: Es kommt ein Auszug, in dem Kernel zusammengezählt sind. Alles andere kommt ganz. Das Studio fragt nach keinem Passwort: ssh braucht einen Schlüssel.</translation>
    </message>
    <message>
        <source>&amp;Machine</source>
        <translation>&amp;Rechner</translation>
    </message>
    <message>
        <source>&amp;Path there</source>
        <translation>&amp;Pfad dort</translation>
    </message>
    <message>
        <source>How much has come</source>
        <translation>Wie viel gekommen ist</translation>
    </message>
    <message>
        <source>%1 of %2 have come.</source>
        <translation>%1 von %2 sind gekommen.</translation>
    </message>
    <message>
        <source>Asking %1 …</source>
        <translation>%1 wird gefragt …</translation>
    </message>
</context>
<context>
    <name>pw::ui::RemoteFetch</name>
    <message>
        <source>What answers there sends something else.</source>
        <translation>Was dort antwortet, schickt etwas anderes.</translation>
    </message>
    <message>
        <source>It has %1 bytes, for which %2 has no room.</source>
        <translation>Sie hat %1 Byte, für die in %2 kein Platz ist.</translation>
    </message>
    <message>
        <source>The connection broke: %1 of %2 bytes came.</source>
        <translation>Die Verbindung brach ab: %1 von %2 Byte kamen an.</translation>
    </message>
    <message>
        <source>It said: %1</source>
        <translation>Es sagte: %1</translation>
    </message>
    <message>
        <source>It ended with %1 and said nothing.</source>
        <translation>Es endete mit %1 und sagte nichts.</translation>
    </message>
    <message>
        <source>%1 on %2 is not opened. %3</source>
        <translation>%1 auf %2 wird nicht geöffnet. %3</translation>
    </message>
</context>
<context>
    <name>pw::ui::RepairsTable</name>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>gain</source>
        <translation>Gewinn</translation>
    </message>
    <message>
        <source>What repairs would gain</source>
        <translation>Was Reparaturen brächten</translation>
    </message>
    <message>
        <source>The steps run again with the measured times, one thing changed. Ctrl+C copies the rows.</source>
        <translation>Die Schritte noch einmal mit den gemessenen Zeiten, eines geändert. Strg+C kopiert die Zeilen.</translation>
    </message>
    <message>
        <source>If</source>
        <translation>Falls</translation>
    </message>
</context>
<context>
    <name>pw::ui::ResidueView</name>
    <message>
        <source>Folded interval</source>
        <translation>Gefaltetes Intervall</translation>
    </message>
    <message>
        <source>device %1: %2</source>
        <translation>Gerät %1: %2</translation>
    </message>
    <message>
        <source>peak not known yet</source>
        <translation>Spitze noch unbekannt</translation>
    </message>
    <message>
        <source>peak %1 mb</source>
        <translation>Spitze %1 mb</translation>
    </message>
    <message>
        <source>Σ ⌈l⁄%1⌉·share %2</source>
        <translation>Σ ⌈l⁄%1⌉·Anteil %2</translation>
    </message>
    <message>
        <source>Folded into the interval of %1</source>
        <translation>Gefaltet in das Intervall von %1</translation>
    </message>
    <message>
        <source>%1 micro-batches, exactly.
Lifespans by formula: %2.
Each lifespan reaches into ⌈length ⁄ interval⌉ intervals: so many are alive at once.</source>
        <translation>%1 Micro-Batches, exakt.
Lebensdauern nach Formel: %2.
Jede Lebensdauer reicht in ⌈Länge ⁄ Intervall⌉ Intervalle: So viele sind zugleich am Leben.</translation>
    </message>
</context>
<context>
    <name>pw::ui::RuleLanes</name>
    <message>
        <source>What the rules read, over time</source>
        <translation>Was die Regeln lesen, über die Zeit</translation>
    </message>
    <message>
        <source>%1 lanes with passes</source>
        <translation>%1 Spuren mit Durchläufen</translation>
    </message>
    <message>
        <source>No pass is read yet. Lanes colour as you say what names are.</source>
        <translation>Noch wird kein Durchlauf gelesen. Spuren färben sich, während Sie sagen, was Namen sind.</translation>
    </message>
</context>
<context>
    <name>pw::ui::RuleParts</name>
    <message>
        <source>only this number</source>
        <translation>nur diese Zahl</translation>
    </message>
    <message>
        <source>any</source>
        <translation>beliebig</translation>
    </message>
    <message>
        <source>micro-batch</source>
        <translation>Micro-Batch</translation>
    </message>
    <message>
        <source>stage</source>
        <translation>Stufe</translation>
    </message>
    <message>
        <source>chunk</source>
        <translation>Chunk</translation>
    </message>
    <message>
        <source>rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>replica</source>
        <translation>Replikat</translation>
    </message>
    <message>
        <source>segment</source>
        <translation>Segment</translation>
    </message>
    <message>
        <source>iteration</source>
        <translation>Iteration</translation>
    </message>
    <message>
        <source>forward</source>
        <translation>vorwärts</translation>
    </message>
    <message>
        <source>backward (input)</source>
        <translation>rückwärts (Eingabe)</translation>
    </message>
    <message>
        <source>backward (weights)</source>
        <translation>rückwärts (Gewichte)</translation>
    </message>
    <message>
        <source>whole backward</source>
        <translation>ganzes Rückwärts</translation>
    </message>
    <message>
        <source>recompute</source>
        <translation>neu rechnen</translation>
    </message>
    <message>
        <source>update</source>
        <translation>Aktualisierung</translation>
    </message>
    <message>
        <source>send forward</source>
        <translation>vorwärts senden</translation>
    </message>
    <message>
        <source>receive forward</source>
        <translation>vorwärts empfangen</translation>
    </message>
    <message>
        <source>send backward</source>
        <translation>rückwärts senden</translation>
    </message>
    <message>
        <source>receive backward</source>
        <translation>rückwärts empfangen</translation>
    </message>
    <message>
        <source>step of the profiler</source>
        <translation>Schritt des Profilers</translation>
    </message>
    <message>
        <source>work beside passes</source>
        <translation>Arbeit neben Durchläufen</translation>
    </message>
    <message>
        <source>What the name is</source>
        <translation>Was der Name ist</translation>
    </message>
    <message>
        <source>is not said yet</source>
        <translation>ist noch nicht gesagt</translation>
    </message>
    <message>
        <source>Say what it is, and what each number stands for:</source>
        <translation>Sagen Sie, was es ist und wofür jede Zahl steht:</translation>
    </message>
    <message>
        <source>name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>process</source>
        <translation>Prozess</translation>
    </message>
    <message>
        <source>thread</source>
        <translation>Thread</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>pw::ui::RulesView</name>
    <message>
        <source>&amp;Add rule</source>
        <translation>Regel &amp;hinzufügen</translation>
    </message>
    <message>
        <source>Remo&amp;ve rule</source>
        <translation>Regel &amp;entfernen</translation>
    </message>
    <message>
        <source>&amp;Read the trace again</source>
        <translation>Trace neu &amp;lesen</translation>
    </message>
    <message>
        <source>Text as it stands, * for any text, and fields: {kind}, {micro-batch}, {stage}, {chunk}, {rank}, {segment}, {iteration}. {kind:fprop=F,bprop=BW} says which words mean which kind; {kind=F} that every name is of one. A \ takes the meaning of the character behind it away.</source>
        <translation>Text, wie er ist, * für beliebigen Text, und Felder: {kind}, {micro-batch}, {stage}, {chunk}, {rank}, {segment}, {iteration}. {kind:fprop=F,bprop=BW} sagt, welche Wörter welche Art bedeuten; {kind=F}, dass jeder Name von einer ist. Ein \ nimmt dem Zeichen dahinter seine Bedeutung.</translation>
    </message>
    <message>
        <source>Ru&amp;le</source>
        <translation>Re&amp;gel</translation>
    </message>
    <message>
        <source>Names of the trace</source>
        <translation>Namen des Trace</translation>
    </message>
    <message>
        <source>Enter, or a double click, puts a name into the field.</source>
        <translation>Enter oder ein Doppelklick setzt einen Namen in das Feld.</translation>
    </message>
    <message>
        <source>Rules that are kept</source>
        <translation>Aufbewahrte Regeln</translation>
    </message>
    <message>
        <source>The rules that were kept cannot be read, so none can be added: %1</source>
        <translation>Die aufbewahrten Regeln sind nicht lesbar, daher lässt sich keine hinzufügen: %1</translation>
    </message>
    <message>
        <source>A rule says what names mean: write one as they look, with fields in the place of kind and numbers.</source>
        <translation>Eine Regel sagt, was Namen bedeuten: einen schreiben, wie er aussieht, mit Feldern statt Art und Zahlen.</translation>
    </message>
    <message>
        <source>Not a rule yet, %1.</source>
        <translation>Noch keine Regel, %1.</translation>
    </message>
    <message>
        <source>This rule is kept already.</source>
        <translation>Diese Regel ist schon aufbewahrt.</translation>
    </message>
    <message>
        <source>Every name is read.</source>
        <translation>Jeder Name wird gelesen.</translation>
    </message>
    <message>
        <source>Names that nothing reads: %1, of %2 spans.</source>
        <translation>Namen, die nichts liest: %1, von %2 Spannen.</translation>
    </message>
    <message>
        <source>%1 rarer names are not shown.</source>
        <translation>%1 seltenere Namen sind nicht gezeigt.</translation>
    </message>
    <message>
        <source>This rule reads no name of the trace.</source>
        <translation>Diese Regel liest keinen Namen des Trace.</translation>
    </message>
    <message>
        <source>This rule reads %1 names of %2 spans; %3 of them are passes.</source>
        <translation>Diese Regel liest %1 Namen von %2 Spannen; %3 davon sind Durchläufe.</translation>
    </message>
    <message>
        <source>They say no micro-batch: where no argument says it, they are left out.</source>
        <translation>Sie nennen keinen Micro-Batch: Wo ihn kein Argument nennt, werden sie ausgelassen.</translation>
    </message>
    <message>
        <source>The rule is not kept: %1</source>
        <translation>Die Regel ist nicht aufbewahrt: %1</translation>
    </message>
    <message>
        <source>&amp;Kept for next time: no rule yet</source>
        <translation>Für nächstes Mal auf&amp;bewahrt: noch keine Regel</translation>
    </message>
    <message>
        <source>&amp;Kept for next time, the first that fits counts</source>
        <translation>Für nächstes Mal auf&amp;bewahrt; die erste passende zählt</translation>
    </message>
    <message>
        <source>Reads the files with the rules as they are now.</source>
        <translation>Liest die Dateien mit den jetzigen Regeln.</translation>
    </message>
    <message>
        <source>The trace was read with these rules.</source>
        <translation>Der Trace wurde mit diesen Regeln gelesen.</translation>
    </message>
    <message>
        <source>Choose a name: its numbers, its thread and its arguments become a rule.</source>
        <translation>Wählen Sie einen Namen: seine Zahlen, sein Thread und seine Argumente werden eine Regel.</translation>
    </message>
</context>
<context>
    <name>pw::ui::RunAccountView</name>
    <message>
        <source>no message was recorded: transfer is what is usual on a link</source>
        <translation>keine Nachricht aufgezeichnet: Übertragung ist, was auf einer Leitung üblich ist</translation>
    </message>
    <message>
        <source>messages took no time</source>
        <translation>Nachrichten brauchten keine Zeit</translation>
    </message>
    <message>
        <source>transfers of the whole trace exposed %1, hidden %2; messages waited %3</source>
        <translation>Übertragungen des ganzen Trace sichtbar %1, verdeckt %2; Nachrichten warteten %3</translation>
    </message>
    <message>
        <source>transfers exposed %1, hidden %2; messages waited %3</source>
        <translation>Übertragungen sichtbar %1, verdeckt %2; Nachrichten warteten %3</translation>
    </message>
    <message>
        <source>usual times of %1 iterations</source>
        <translation>übliche Zeiten aus %1 Iterationen</translation>
    </message>
    <message>
        <source>usual times of this iteration alone</source>
        <translation>übliche Zeiten allein aus dieser Iteration</translation>
    </message>
    <message>
        <source>%1 of %2 times are guessed: hatched</source>
        <translation>%1 von %2 Zeiten sind geschätzt: schraffiert</translation>
    </message>
    <message>
        <source>Tables…</source>
        <translation>Tabellen…</translation>
    </message>
    <message>
        <source>The figures as tables to copy, with messages and clocks.</source>
        <translation>Die Zahlen als Tabellen zum Kopieren, mit Nachrichten und Uhren.</translation>
    </message>
    <message>
        <source>Lost time as tables</source>
        <translation>Verlorene Zeit als Tabellen</translation>
    </message>
    <message>
        <source>computing…</source>
        <translation>wird berechnet …</translation>
    </message>
    <message>
        <source>No account: %1</source>
        <translation>Keine Rechnung: %1</translation>
    </message>
    <message>
        <source>Lost time: %1</source>
        <translation>Verlorene Zeit: %1</translation>
    </message>
    <message>
        <source>Lost time</source>
        <translation>Verlorene Zeit</translation>
    </message>
    <message>
        <source>Messages</source>
        <translation>Nachrichten</translation>
    </message>
    <message>
        <source>Clocks</source>
        <translation>Uhren</translation>
    </message>
    <message>
        <source>What the run&apos;s log says</source>
        <translation>Was das Protokoll des Laufs sagt</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>&amp;Copy table</source>
        <translation>Tabelle &amp;kopieren</translation>
    </message>
    <message>
        <source>The parts of a rank sum to the wall time exactly.</source>
        <translation>Die Teile eines Rangs ergeben genau die Laufzeit.</translation>
    </message>
</context>
<context>
    <name>pw::ui::RunAdaptiveView</name>
    <message>
        <source>k</source>
        <translation>k</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>Netz</translation>
    </message>
    <message>
        <source>Iterations</source>
        <translation>Iterationen</translation>
    </message>
    <message>
        <source>k over time over the network</source>
        <translation>k über der Zeit über dem Netz</translation>
    </message>
    <message>
        <source>over the training</source>
        <translation>über das Training</translation>
    </message>
    <message>
        <source>messages, × as long</source>
        <translation>Nachrichten, × so lang</translation>
    </message>
    <message>
        <source>ms each</source>
        <translation>ms je</translation>
    </message>
    <message>
        <source>A training whose k follows the network: %1, %2 of k.</source>
        <translation>Ein Training, dessen k dem Netz folgt: %1, %2 von k.</translation>
    </message>
    <message>
        <source>This run: %1</source>
        <translation>Dieser Lauf: %1</translation>
    </message>
    <message>
        <source>this run</source>
        <translation>dieser Lauf</translation>
    </message>
    <message>
        <source>slowdown</source>
        <translation>Verlangsamung</translation>
    </message>
    <message>
        <source>iteration</source>
        <translation>Iteration</translation>
    </message>
</context>
<context>
    <name>pw::ui::RunAgain</name>
    <message>
        <source>The times of run %1 are being taken over: wait for that.</source>
        <translation>Die Zeiten von Lauf %1 werden gerade übernommen: Warten Sie das ab.</translation>
    </message>
    <message>
        <source>A run is under way: wait for its end, or stop it.</source>
        <translation>Ein Lauf ist im Gange: Warten Sie sein Ende ab, oder halten Sie ihn an.</translation>
    </message>
    <message>
        <source>A schedule is being improved: stop that first.</source>
        <translation>Ein Ablaufplan wird gerade verbessert: Halten Sie das zuerst an.</translation>
    </message>
    <message>
        <source>Times of run %1</source>
        <translation>Zeiten von Lauf %1</translation>
    </message>
    <message>
        <source>The schedule now has the times of run %1. Undo brings the old ones back.</source>
        <translation>Der Ablaufplan hat jetzt die Zeiten von Lauf %1. Rückgängig bringt die alten zurück.</translation>
    </message>
    <message>
        <source>The schedule was closed: it does not run again.</source>
        <translation>Der Ablaufplan wurde geschlossen: Er läuft nicht noch einmal.</translation>
    </message>
</context>
<context>
    <name>pw::ui::RunHeader</name>
    <message>
        <source>warm-up %1</source>
        <translation>Aufwärmen %1</translation>
    </message>
    <message>
        <source>iteration %1</source>
        <translation>Iteration %1</translation>
    </message>
    <message>
        <source>The iteration before</source>
        <translation>Die vorige Iteration</translation>
    </message>
    <message>
        <source>The next iteration</source>
        <translation>Die nächste Iteration</translation>
    </message>
    <message>
        <source>Deciding chain</source>
        <translation>Entscheidende Kette</translation>
    </message>
    <message>
        <source>Underlines the passes that decided when the iteration ended: each began after the one before it.</source>
        <translation>Unterstreicht die Durchläufe, die das Ende der Iteration bestimmten: Jeder begann nach dem davor.</translation>
    </message>
    <message>
        <source>Lost time</source>
        <translation>Verlorene Zeit</translation>
    </message>
    <message>
        <source>Shows where the time of each rank went, by cause.</source>
        <translation>Zeigt, wohin die Zeit jedes Rangs ging, nach Ursache.</translation>
    </message>
    <message>
        <source>Losses</source>
        <translation>Loss-Verlauf</translation>
    </message>
    <message>
        <source>Shows the loss over optimizer steps.</source>
        <translation>Zeigt den Loss über die Optimierer-Schritte.</translation>
    </message>
    <message>
        <source>Compare with plan</source>
        <translation>Mit Plan vergleichen</translation>
    </message>
    <message>
        <source>Lays the run over its plan.</source>
        <translation>Legt den Lauf über seinen Plan.</translation>
    </message>
    <message>
        <source>Iteration</source>
        <translation>Iteration</translation>
    </message>
    <message>
        <source>Iteration of the run that is shown</source>
        <translation>Gezeigte Iteration des Laufs</translation>
    </message>
    <message>
        <source>%1 of %2 of this iteration was not recorded.</source>
        <translation>%1 von %2 dieser Iteration wurde nicht aufgezeichnet.</translation>
    </message>
    <message>
        <source>%1 of %2 of this iteration were not recorded.</source>
        <translation>%1 von %2 dieser Iteration wurden nicht aufgezeichnet.</translation>
    </message>
    <message>
        <source>How times are known: %1.</source>
        <translation>Woher die Zeiten stammen: %1.</translation>
    </message>
    <message>
        <source>Times that were guessed are hatched: %1 of %2.</source>
        <translation>Geschätzte Zeiten sind schraffiert: %1 von %2.</translation>
    </message>
    <message>
        <source> (median)</source>
        <translation> (Median)</translation>
    </message>
    <message>
        <source>The run has no loss: nothing was trained.</source>
        <translation>Der Lauf hat keinen Loss: Nichts wurde trainiert.</translation>
    </message>
    <message>
        <source>k over time</source>
        <translation>k über der Zeit</translation>
    </message>
    <message>
        <source>Shows k over time over the network, of the whole training.</source>
        <translation>Zeigt k über der Zeit über dem Netz, vom ganzen Training.</translation>
    </message>
    <message>
        <source>Take the measured times</source>
        <translation>Gemessene Zeiten übernehmen</translation>
    </message>
    <message>
        <source>The measured times become the costs of the run&apos;s schedule.</source>
        <translation>Die gemessenen Zeiten werden zu den Kosten des Ablaufplans dieses Laufs.</translation>
    </message>
    <message>
        <source>Take these times, improve, run again</source>
        <translation>Diese Zeiten übernehmen, verbessern, erneut ausführen</translation>
    </message>
    <message>
        <source>The measured times become the costs of the schedule, a better order is looked for with them and run, and both runs are compared.</source>
        <translation>Die gemessenen Zeiten werden zu den Kosten des Ablaufplans; mit ihnen wird eine bessere Reihenfolge gesucht und ausgeführt, und beide Läufe werden verglichen.</translation>
    </message>
    <message>
        <source>The plan&apos;s times say nothing of this machine: the run took %1 as long.</source>
        <translation>Die Zeiten des Plans sagen nichts über diese Maschine: Der Lauf dauerte %1 so lange.</translation>
    </message>
    <message>
        <source>Whole job</source>
        <translation>Ganzer Job</translation>
    </message>
    <message>
        <source>More ranks ran than are shown here: opens all replicas, stages and steps beside each other, who is slow, and why.</source>
        <translation>Es liefen mehr Ränge, als hier zu sehen sind: öffnet alle Replikate, Stufen und Schritte nebeneinander, wer langsam ist und warum.</translation>
    </message>
</context>
<context>
    <name>pw::ui::RunHistory</name>
    <message>
        <source>Run %1 is still running. Stop it first.</source>
        <translation>Lauf %1 läuft noch. Erst anhalten.</translation>
    </message>
</context>
<context>
    <name>pw::ui::RunModel</name>
    <message>
        <source>%1, %2</source>
        <translation>%1, %2</translation>
    </message>
    <message>
        <source>median of %1 iterations, %2 to %3</source>
        <translation>Median von %1 Iterationen, %2 bis %3</translation>
    </message>
    <message>
        <source>run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Title; F2 renames</source>
        <translation>Titel; F2 benennt um</translation>
    </message>
    <message>
        <source>schedule</source>
        <translation>Ablaufplan</translation>
    </message>
    <message>
        <source>backend</source>
        <translation>Backend</translation>
    </message>
    <message>
        <source>Makespan that the simulator predicted</source>
        <translation>Vom Simulator vorhergesagte Gesamtdauer</translation>
    </message>
    <message>
        <source>predicted</source>
        <translation>vorhergesagt</translation>
    </message>
    <message>
        <source>Makespan, median of the counted iterations</source>
        <translation>Gesamtdauer, Median der gezählten Iterationen</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>measured ÷ predicted − 1</source>
        <translation>gemessen ÷ vorhergesagt − 1</translation>
    </message>
    <message>
        <source>off by</source>
        <translation>daneben</translation>
    </message>
    <message>
        <source>Idle time ÷ span of the device with the longest span</source>
        <translation>Leerlauf ÷ Spanne des Geräts mit der längsten Spanne</translation>
    </message>
    <message>
        <source>span bubble</source>
        <translation>Span-Bubble</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>When it began</source>
        <translation>Wann er begann</translation>
    </message>
    <message>
        <source>when</source>
        <translation>wann</translation>
    </message>
    <message>
        <source>How it ended</source>
        <translation>Wie er endete</translation>
    </message>
    <message>
        <source>status</source>
        <translation>Status</translation>
    </message>
    <message>
        <source>kept</source>
        <translation>behalten</translation>
    </message>
    <message>
        <source>Of it at most %1 of activations.</source>
        <translation>Davon höchstens %1 an Aktivierungen.</translation>
    </message>
    <message>
        <source>Activations alone: no more was recorded.</source>
        <translation>Aktivierungen allein: Mehr wurde nicht aufgezeichnet.</translation>
    </message>
    <message>
        <source>Number of the run in its store; a1, a2 … are kept plans and comparisons</source>
        <translation>Nummer des Laufs in seiner Ablage; a1, a2 … sind behaltene Pläne und Vergleiche</translation>
    </message>
    <message>
        <source>What ran it, on how many devices; of what was kept, its kind</source>
        <translation>Was ihn ausführte, auf wie vielen Geräten; bei Behaltenem, was es ist</translation>
    </message>
    <message>
        <source>All that the fullest device held at once</source>
        <translation>Alles, was das vollste Gerät zugleich hielt</translation>
    </message>
</context>
<context>
    <name>pw::ui::RunPage</name>
    <message>
        <source>planned %1</source>
        <translation>geplant %1</translation>
    </message>
    <message>
        <source>Shown</source>
        <translation>Gezeigt</translation>
    </message>
    <message>
        <source>Makespan</source>
        <translation>Gesamtdauer</translation>
    </message>
    <message>
        <source>Span bubble</source>
        <translation>Span-Bubble</translation>
    </message>
    <message>
        <source>Wall bubble</source>
        <translation>Wall-Bubble</translation>
    </message>
    <message>
        <source>Peak activation</source>
        <translation>Aktivierungsspitze</translation>
    </message>
    <message>
        <source>Passes</source>
        <translation>Durchläufe</translation>
    </message>
    <message>
        <source>Updates</source>
        <translation>Updates</translation>
    </message>
    <message>
        <source>Not recorded</source>
        <translation>Nicht aufgezeichnet</translation>
    </message>
    <message>
        <source>Times</source>
        <translation>Zeiten</translation>
    </message>
    <message>
        <source>Selected pass</source>
        <translation>Gewählter Durchlauf</translation>
    </message>
    <message>
        <source>None. Click a pass, or walk with the arrow keys.</source>
        <translation>Keiner. Einen Durchlauf anklicken oder mit den Pfeiltasten gehen.</translation>
    </message>
    <message>
        <source>Pass</source>
        <translation>Durchlauf</translation>
    </message>
    <message>
        <source>Beside</source>
        <translation>Daneben</translation>
    </message>
    <message>
        <source>Device</source>
        <translation>Gerät</translation>
    </message>
    <message>
        <source>Start – end</source>
        <translation>Beginn – Ende</translation>
    </message>
    <message>
        <source>Took</source>
        <translation>Dauerte</translation>
    </message>
    <message>
        <source>Ends against the plan</source>
        <translation>Endet gegenüber dem Plan</translation>
    </message>
    <message>
        <source>Waited for</source>
        <translation>Wartete auf</translation>
    </message>
    <message>
        <source>%1 on device %2</source>
        <translation>%1 auf Gerät %2</translation>
    </message>
    <message>
        <source>Time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>%1, %2 – %3: took %4, planned %5; ends %6 against the plan</source>
        <translation>%1, %2 – %3: dauerte %4, geplant %5; endet %6 gegenüber dem Plan</translation>
    </message>
    <message>
        <source>took %1, planned %2</source>
        <translation>dauerte %1, geplant %2</translation>
    </message>
    <message>
        <source>ends %1 against the plan</source>
        <translation>endet %1 gegenüber dem Plan</translation>
    </message>
    <message>
        <source>; time: %1</source>
        <translation>; Zeit: %1</translation>
    </message>
    <message>
        <source>time: %1</source>
        <translation>Zeit: %1</translation>
    </message>
    <message>
        <source>waited for %1</source>
        <translation>wartete auf %1</translation>
    </message>
    <message>
        <source>waited for %1 of device %2</source>
        <translation>wartete auf %1 von Gerät %2</translation>
    </message>
    <message>
        <source>Device %1 idles for %2</source>
        <translation>Gerät %1 steht %2 lang still</translation>
    </message>
    <message>
        <source>device %1 idles for %2: %3</source>
        <translation>Gerät %1 steht %2 lang still: %3</translation>
    </message>
    <message>
        <source>What was measured stays where it was. Open its schedule from the list of runs to change it.</source>
        <translation>Gemessenes bleibt, wo es war. Zum Ändern seinen Ablaufplan aus der Liste der Läufe öffnen.</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>Reading run %1…</source>
        <translation>Lauf %1 wird gelesen …</translation>
    </message>
    <message>
        <source>The run cannot be shown: %1</source>
        <translation>Der Lauf lässt sich nicht zeigen: %1</translation>
    </message>
    <message>
        <source>The run is not there yet.</source>
        <translation>Der Lauf ist noch nicht da.</translation>
    </message>
    <message>
        <source> · times: %1</source>
        <translation> · Zeiten: %1</translation>
    </message>
    <message>
        <source>, expected %1 to %2 nine times in ten</source>
        <translation>, erwartet %1 bis %2 in neun von zehn Fällen</translation>
    </message>
    <message>
        <source>%1: makespan %2 (planned %3, %4%7)     span bubble %5     wall bubble %6</source>
        <translation>%1: Gesamtdauer %2 (geplant %3, %4%7)     Span-Bubble %5     Wall-Bubble %6</translation>
    </message>
    <message>
        <source>     peak activation %1</source>
        <translation>     Aktivierungsspitze %1</translation>
    </message>
    <message>
        <source>Reading it…</source>
        <translation>Wird gelesen …</translation>
    </message>
    <message>
        <source>Peak memory</source>
        <translation>Speicherspitze</translation>
    </message>
</context>
<context>
    <name>pw::ui::RunPanel</name>
    <message>
        <source>Where the executor runs</source>
        <translation>Wo der Executor läuft</translation>
    </message>
    <message>
        <source>tiny — 0.1 million parameters</source>
        <translation>tiny: 0,1 Mio. Parameter</translation>
    </message>
    <message>
        <source>small — 0.4 million parameters</source>
        <translation>small: 0,4 Mio. Parameter</translation>
    </message>
    <message>
        <source>medium — 51 million parameters</source>
        <translation>medium: 51 Mio. Parameter</translation>
    </message>
    <message>
        <source>h200 — 3.3 billion parameters</source>
        <translation>h200: 3,3 Mrd. Parameter</translation>
    </message>
    <message>
        <source>How often the whole schedule is run and counted</source>
        <translation>Wie oft der ganze Ablaufplan ausgeführt und gezählt wird</translation>
    </message>
    <message>
        <source>&amp;Measure passes first</source>
        <translation>Vorab &amp;messen</translation>
    </message>
    <message>
        <source>The prediction is made of times measured briefly before the run; without, of the costs of the schedule as it is.</source>
        <translation>Die Vorhersage entsteht aus Zeiten, die vor dem Lauf kurz gemessen werden; sonst aus den jetzigen Kosten des Ablaufplans.</translation>
    </message>
    <message>
        <source>Adds, changes and tests connections.</source>
        <translation>Verbindungen hinzufügen, ändern und testen.</translation>
    </message>
    <message>
        <source>Connections</source>
        <translation>Verbindungen</translation>
    </message>
    <message>
        <source>&amp;Connection</source>
        <translation>&amp;Verbindung</translation>
    </message>
    <message>
        <source>&amp;Backend</source>
        <translation>Bac&amp;kend</translation>
    </message>
    <message>
        <source>M&amp;odel</source>
        <translation>M&amp;odell</translation>
    </message>
    <message>
        <source>&amp;Iterations</source>
        <translation>&amp;Iterationen</translation>
    </message>
    <message>
        <source>&amp;Warm-up</source>
        <translation>Auf&amp;wärmen</translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation>Fortschritt des Laufs</translation>
    </message>
    <message>
        <source>▶ Run</source>
        <translation>▶ Start</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>Wait on</source>
        <translation>Weiter warten</translation>
    </message>
    <message>
        <source>Gives the executor more time.</source>
        <translation>Gibt dem Executor mehr Zeit.</translation>
    </message>
    <message>
        <source>Calibrate</source>
        <translation>Kalibrieren</translation>
    </message>
    <message>
        <source>auto: %1</source>
        <translation>auto: %1</translation>
    </message>
    <message>
        <source>The GPT that is trained</source>
        <translation>Das GPT, das trainiert wird</translation>
    </message>
    <message>
        <source>The emulated backend trains nothing: passes take the times of the schedule.</source>
        <translation>Das Backend emulated trainiert nichts: Durchläufe dauern so lang wie im Ablaufplan.</translation>
    </message>
    <message>
        <source>Sends the schedule to the executor.</source>
        <translation>Schickt den Ablaufplan an den Executor.</translation>
    </message>
    <message>
        <source>Measures what every pass takes on this connection, and takes that over as the costs of the schedule.</source>
        <translation>Misst, was jeder Durchlauf über diese Verbindung dauert, und übernimmt das als Kosten des Ablaufplans.</translation>
    </message>
    <message>
        <source>Asking %1 what it can run</source>
        <translation>%1 wird gefragt, was sich ausführen lässt</translation>
    </message>
    <message>
        <source>Measuring what passes take on %1</source>
        <translation>Auf %1 wird gemessen, was Durchläufe dauern</translation>
    </message>
    <message>
        <source>End it now</source>
        <translation>Jetzt beenden</translation>
    </message>
    <message>
        <source>Starting on %1</source>
        <translation>Start auf %1</translation>
    </message>
    <message>
        <source>The executor gets ready.</source>
        <translation>Der Executor macht sich bereit.</translation>
    </message>
    <message>
        <source>The executor gets ready and measures what passes take.</source>
        <translation>Der Executor macht sich bereit und misst, was Durchläufe dauern.</translation>
    </message>
    <message>
        <source>%1: warm-up %2 of %3</source>
        <translation>%1: Aufwärmen %2 von %3</translation>
    </message>
    <message>
        <source>%1: iteration %2 of %3</source>
        <translation>%1: Iteration %2 von %3</translation>
    </message>
    <message>
        <source>%1 on %2, %3 so far</source>
        <translation>%1 auf %2, bisher %3</translation>
    </message>
    <message>
        <source>loss %1 at step %2</source>
        <translation>Loss %1 bei Schritt %2</translation>
    </message>
    <message>
        <source>%1 of its output not understood; see the log.</source>
        <translation>%1 seiner Ausgabe unverständlich; siehe Protokoll.</translation>
    </message>
    <message>
        <source>Stopping on %1</source>
        <translation>Wird auf %1 angehalten</translation>
    </message>
    <message>
        <source>The executor has said nothing for %1. It may compute, or hang: stop it, or wait on.</source>
        <translation>Der Executor schweigt seit %1. Vielleicht rechnet er, vielleicht hängt er: anhalten oder weiter warten.</translation>
    </message>
    <message>
        <source>What came is kept as run %1.</source>
        <translation>Was ankam, ist als Lauf %1 aufbewahrt.</translation>
    </message>
    <message>
        <source>Nothing can be run yet</source>
        <translation>Noch lässt sich nichts ausführen</translation>
    </message>
    <message>
        <source>Ready: %1, on %2</source>
        <translation>Bereit: %1, auf %2</translation>
    </message>
    <message>
        <source>%1 · %2</source>
        <translation>%1 · %2</translation>
    </message>
    <message>
        <source>Last run (%1): %2 measured, %3 predicted</source>
        <translation>Letzter Lauf (%1): %2 gemessen, %3 vorhergesagt</translation>
    </message>
    <message>
        <source>, nine times in ten between %1 and %2</source>
        <translation>, in neun von zehn Fällen zwischen %1 und %2</translation>
    </message>
    <message>
        <source>; kept as run %1</source>
        <translation>; aufbewahrt als Lauf %1</translation>
    </message>
    <message>
        <source>Run sends this job:</source>
        <translation>Ausführen schickt diesen Job:</translation>
    </message>
    <message>
        <source>24gb — 0.4 billion parameters</source>
        <translation>24gb: 0,4 Mrd. Parameter</translation>
    </message>
    <message>
        <source>40gb — 1 billion parameters</source>
        <translation>40gb: 1 Mrd. Parameter</translation>
    </message>
    <message>
        <source>80gb — 2.2 billion parameters</source>
        <translation>80gb: 2,2 Mrd. Parameter</translation>
    </message>
    <message>
        <source>fit — what the GPU&apos;s free memory holds</source>
        <translation>fit: was der freie Speicher der GPU fasst</translation>
    </message>
    <message>
        <source>auto</source>
        <translation>auto</translation>
    </message>
    <message>
        <source>Iterations that are run first and not counted; auto: as many as the backend needs, 1 on the CPU and 3 on a GPU</source>
        <translation>Iterationen, die zuerst laufen und nicht zählen; auto: so viele, wie das Backend braucht, 1 auf der CPU und 3 auf einer GPU</translation>
    </message>
</context>
<context>
    <name>pw::ui::RunSession</name>
    <message>
        <source>A run is under way: stop it first.</source>
        <translation>Ein Lauf ist im Gang: erst anhalten.</translation>
    </message>
    <message>
        <source>Passes are being measured: wait, or stop it first.</source>
        <translation>Durchläufe werden gemessen: warten oder erst anhalten.</translation>
    </message>
    <message>
        <source>No schedule is open: choose a family in the palette, or open a project.</source>
        <translation>Kein Ablaufplan ist offen: in der Palette eine Familie wählen oder ein Projekt öffnen.</translation>
    </message>
    <message>
        <source>%1 Undo the move that closed the ring, or move one of its passes.</source>
        <translation>%1 Den Zug rückgängig machen, der den Ring schloss, oder einen seiner Durchläufe verschieben.</translation>
    </message>
    <message>
        <source>%1 A run needs the whole schedule: finish the rest, or undo.</source>
        <translation>%1 Ein Lauf braucht den ganzen Ablaufplan: den Rest ergänzen oder rückgängig machen.</translation>
    </message>
    <message>
        <source>The schedule is empty: drag a family or a block into the timeline.</source>
        <translation>Der Ablaufplan ist leer: eine Familie oder einen Baustein in die Zeitleiste ziehen.</translation>
    </message>
    <message>
        <source>The emulated backend takes the costs of the schedule: there is nothing to measure. Choose cpu or cuda.</source>
        <translation>Das Backend emulated nimmt die Kosten des Ablaufplans: Es gibt nichts zu messen. cpu oder cuda wählen.</translation>
    </message>
    <message>
        <source>%1 is not available there: %2. Choose another backend.</source>
        <translation>%1 ist dort nicht verfügbar: %2. Ein anderes Backend wählen.</translation>
    </message>
    <message>
        <source>it is not known</source>
        <translation>es ist unbekannt</translation>
    </message>
    <message>
        <source>%1 are too many to be emulated; the most is %2.</source>
        <translation>%1 sind zu viele zum Emulieren; höchstens %2.</translation>
    </message>
    <message>
        <source>%1 share %2: each gets a part of its processors.</source>
        <translation>%1 teilen sich %2: Jedes bekommt einen Teil der Recheneinheiten.</translation>
    </message>
    <message>
        <source>%1 share %2 and take turns: times are not those of devices of their own. The emulated backend keeps to the modelled times.</source>
        <translation>%1 teilen sich %2 und wechseln sich ab: Die Zeiten sind nicht die eigener Geräte. Das Backend emulated hält sich an die modellierten Zeiten.</translation>
    </message>
    <message>
        <source>The model %1 is meant for GPUs: on a CPU an iteration takes minutes. tiny and small take seconds.</source>
        <translation>Das Modell %1 ist für GPUs gedacht: Auf einer CPU dauert eine Iteration Minuten. tiny und small dauern Sekunden.</translation>
    </message>
    <message>
        <source>The run</source>
        <translation>Der Lauf</translation>
    </message>
    <message>
        <source>%1 has run: it is run %2 of the store.</source>
        <translation>%1 ist gelaufen: Lauf %2 der Ablage.</translation>
    </message>
    <message>
        <source>%1 was stopped.</source>
        <translation>%1 wurde angehalten.</translation>
    </message>
    <message>
        <source>Asking %1 what it can run…</source>
        <translation>%1 wird gefragt, was es ausführen kann…</translation>
    </message>
    <message>
        <source>%1. Raise the limit, or choose a schedule that keeps less; the run goes on without a limit.</source>
        <translation>%1. Die Grenze heben oder einen sparsameren Ablaufplan wählen; der Lauf geht ohne Grenze weiter.</translation>
    </message>
</context>
<context>
    <name>pw::ui::RunTimeline</name>
    <message>
        <source>device %1</source>
        <translation>Gerät %1</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>Lauf %1</translation>
    </message>
</context>
<context>
    <name>pw::ui::RunsPanel</name>
    <message>
        <source>run %1</source>
        <translation>Lauf %1</translation>
    </message>
    <message>
        <source>Search runs</source>
        <translation>Läufe suchen</translation>
    </message>
    <message>
        <source>Words in title, notes, family, host, backend or status</source>
        <translation>Wörter in Titel, Notizen, Familie, Host, Backend oder Status</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Open</source>
        <translation>Öffnen</translation>
    </message>
    <message>
        <source>Compare with plan</source>
        <translation>Mit Plan vergleichen</translation>
    </message>
    <message>
        <source>Open its schedule</source>
        <translation>Ablaufplan öffnen</translation>
    </message>
    <message>
        <source>Opens the schedule that was run as a new tab.</source>
        <translation>Öffnet den ausgeführten Ablaufplan in einem neuen Tab.</translation>
    </message>
    <message>
        <source>Rename</source>
        <translation>Umbenennen</translation>
    </message>
    <message>
        <source>Delete</source>
        <translation>Löschen</translation>
    </message>
    <message>
        <source>Choose another store…</source>
        <translation>Andere Ablage wählen…</translation>
    </message>
    <message>
        <source>Notes</source>
        <translation>Notizen</translation>
    </message>
    <message>
        <source>Store</source>
        <translation>Ablage</translation>
    </message>
    <message>
        <source>The file that runs are kept in</source>
        <translation>Die Datei, in der Läufe aufbewahrt werden</translation>
    </message>
    <message>
        <source>Store of the command line</source>
        <translation>Ablage der Kommandozeile</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>Neu lesen</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Deleted %1.</source>
        <translation>%1 gelöscht.</translation>
    </message>
    <message>
        <source>Store: %1</source>
        <translation>Ablage: %1</translation>
    </message>
    <message>
        <source>The runs cannot be shown: %1</source>
        <translation>Die Läufe lassen sich nicht zeigen: %1</translation>
    </message>
    <message>
        <source>Reading the runs…</source>
        <translation>Die Läufe werden gelesen …</translation>
    </message>
    <message>
        <source>No run yet. Open a schedule and press “Run” at the right end of the tool bar: the run is kept here with every pass, message and loss, and can be laid over its plan. What “pipewright run” does on the command line comes here too.</source>
        <translation>Noch kein Lauf. Einen Ablaufplan öffnen und „Ausführen“ rechts in der Werkzeugleiste drücken: Der Lauf wird hier mit jedem Durchlauf, jeder Nachricht und jedem Loss aufbewahrt und lässt sich über seinen Plan legen. Was „pipewright run“ auf der Kommandozeile tut, kommt auch hierher.</translation>
    </message>
    <message>
        <source>No run has these words.</source>
        <translation>Kein Lauf hat diese Wörter.</translation>
    </message>
    <message>
        <source>Select a run first.</source>
        <translation>Erst einen Lauf wählen.</translation>
    </message>
    <message>
        <source>Compare %1 runs</source>
        <translation>%1 Läufe vergleichen</translation>
    </message>
    <message>
        <source>One run is laid over its plan, several are laid over each other.</source>
        <translation>Ein Lauf wird über seinen Plan gelegt, mehrere werden übereinandergelegt.</translation>
    </message>
    <message>
        <source>Gives the run another title (F2).</source>
        <translation>Gibt dem Lauf einen anderen Titel (F2).</translation>
    </message>
    <message>
        <source>Deletes the runs (Del); this can be undone.</source>
        <translation>Löscht die Läufe (Entf); das lässt sich rückgängig machen.</translation>
    </message>
    <message>
        <source>&amp;Notes</source>
        <translation>Noti&amp;zen</translation>
    </message>
    <message>
        <source>What was special about it?</source>
        <translation>Was war daran besonders?</translation>
    </message>
    <message>
        <source>Select one run to write about it.</source>
        <translation>Einen Lauf wählen, um über ihn zu schreiben.</translation>
    </message>
    <message>
        <source>%1 kept rows</source>
        <translation>%1 behaltene Zeilen</translation>
    </message>
    <message>
        <source>Shows the run as a timeline, what was kept on its page (Enter).</source>
        <translation>Zeigt den Lauf als Zeitlinie, Behaltenes auf seiner Seite (Enter).</translation>
    </message>
    <message>
        <source>&amp;Notes on %1</source>
        <translation>&amp;Notizen zu %1</translation>
    </message>
</context>
<context>
    <name>pw::ui::Samples</name>
    <message>
        <source>there is no sample %1</source>
        <translation>ein Beispiel %1 gibt es nicht</translation>
    </message>
    <message>
        <source>GPipe: fill, then drain</source>
        <translation>GPipe: füllen, dann leeren</translation>
    </message>
    <message>
        <source>All forwards, then all backwards. Look at the memory chart: device 0 holds all 8 micro-batches at once, and every device idles (p − 1)(F + BW) = 9 ms.</source>
        <translation>Erst alle Forwards, dann alle Backwards. Ein Blick auf das Speicherdiagramm: Gerät 0 hält alle 8 Micro-Batches zugleich, und jedes Gerät steht (p − 1)(F + BW) = 9 ms still.</translation>
    </message>
    <message>
        <source>Try: open the 1F1B sample beside it and pin this one. The makespan is the same; what differs is the memory.</source>
        <translation>Zum Ausprobieren: das Beispiel 1F1B daneben öffnen und dieses anheften. Die Gesamtdauer ist dieselbe; verschieden ist der Speicher.</translation>
    </message>
    <message>
        <source>1F1B: the same time, half the memory</source>
        <translation>1F1B: dieselbe Zeit, halber Speicher</translation>
    </message>
    <message>
        <source>One forward, one backward in turn. A backward starts as soon as it can, so device 0 holds p = 4 micro-batches and not m = 8. The bubble is that of GPipe.</source>
        <translation>Im Wechsel ein Forward, ein Backward. Ein Backward beginnt, sobald er kann; deshalb hält Gerät 0 nur p = 4 Micro-Batches und nicht m = 8. Die Bubble ist die von GPipe.</translation>
    </message>
    <message>
        <source>Try: raise the micro-batches to 16. The bubble stays 9 ms, but it is a smaller part of a longer step.</source>
        <translation>Zum Ausprobieren: die Micro-Batches auf 16 erhöhen. Die Bubble bleibt bei 9 ms, ist aber ein kleinerer Teil eines längeren Schritts.</translation>
    </message>
    <message>
        <source>Interleaved 1F1B: smaller steps fill faster</source>
        <translation>Interleaved 1F1B: kleine Schritte füllen schneller</translation>
    </message>
    <message>
        <source>Every device has two chunks of the model, laid round and round. The pipeline fills in half the time, so the bubble halves to 4.5 ms. The price: twice the messages, and 5.5 micro-batches on device 0.</source>
        <translation>Jedes Gerät hat zwei Chunks des Modells, reihum verteilt. Die Pipeline füllt sich in der halben Zeit, also halbiert sich die Bubble auf 4.5 ms. Der Preis: doppelt so viele Nachrichten und 5.5 Micro-Batches auf Gerät 0.</translation>
    </message>
    <message>
        <source>Try: set the link to 0.2 ms and watch the gain shrink.</source>
        <translation>Zum Ausprobieren: die Leitung auf 0.2 ms setzen und zusehen, wie der Gewinn schrumpft.</translation>
    </message>
    <message>
        <source>ZB-H2: no idle time inside a span</source>
        <translation>ZB-H2: kein Leerlauf in der Spanne</translation>
    </message>
    <message>
        <source>The backward is split: B, for the input, is what the next device waits for; W, for the weights, can wait and fills the gaps. With twice the warm-up of 1F1B nothing idles between a device&apos;s first and last pass: the span bubble is 0, the wall bubble 3 ms. It costs 2p − 1 = 7 micro-batches of memory.</source>
        <translation>Der Backward ist geteilt: Auf B, für die Eingabe, wartet das nächste Gerät; W, für die Gewichte, kann warten und füllt die Lücken. Mit dem doppelten Anlauf von 1F1B steht zwischen dem ersten und dem letzten Durchlauf eines Geräts nichts still: Die Span-Bubble ist 0, die Wall-Bubble 3 ms. Das kostet Speicher für 2p − 1 = 7 Micro-Batches.</translation>
    </message>
    <message>
        <source>Try: change the family to ZB-H1. Its memory is that of 1F1B, and 3 ms of bubble come back.</source>
        <translation>Zum Ausprobieren: die Familie ZB-H1 wählen. Ihr Speicher ist der von 1F1B, und 3 ms Bubble kommen zurück.</translation>
    </message>
    <message>
        <source>ZB-V: zero bubble in 1F1B&apos;s memory</source>
        <translation>ZB-V: keine Bubble im Speicher von 1F1B</translation>
    </message>
    <message>
        <source>The chunks lie in a V: the last stage is on the device of the first. A micro-batch comes back early, so its memory is free early: 4 micro-batches on every device, and a span bubble of 0.</source>
        <translation>Die Chunks liegen in einem V: Die letzte Stufe ist auf dem Gerät der ersten. Ein Micro-Batch kommt früh zurück, also ist sein Speicher früh frei: 4 Micro-Batches auf jedem Gerät und eine Span-Bubble von 0.</translation>
    </message>
    <message>
        <source>Try: click a B of device 0 and follow the arrows with [ and ].</source>
        <translation>Zum Ausprobieren: ein B von Gerät 0 anklicken und mit [ und ] den Pfeilen folgen.</translation>
    </message>
    <message>
        <source>V-Half: less memory than 1F1B</source>
        <translation>V-Half: weniger Speicher als 1F1B</translation>
    </message>
    <message>
        <source>A GPT of 22 billion parameters on four H100. The building block of V-Half frees activations after about half the time: 45 GiB where 1F1B needs 59, at a shorter step too.</source>
        <translation>Ein GPT mit 22 Milliarden Parametern auf vier H100. Der Baustein von V-Half gibt Aktivierungen nach etwa der halben Zeit frei: 45 GiB, wo 1F1B 59 braucht, und der Schritt ist auch noch kürzer.</translation>
    </message>
    <message>
        <source>Try: change the family to 1F1B, to ZB-H2 (which the memory limit refuses) and to V-Min.</source>
        <translation>Zum Ausprobieren: die Familien 1F1B, ZB-H2 (die Speichergrenze weist es ab) und V-Min wählen.</translation>
    </message>
    <message>
        <source>kFkB: when the network is slow</source>
        <translation>kFkB: wenn das Netz langsam ist</translation>
    </message>
    <message>
        <source>Between 20 and 60 ms the network is three times as slow. Two forwards and two backwards in turn: while a message of one micro-batch travels, the device works on the other. Pay with memory: k·p = 8 micro-batches.</source>
        <translation>Zwischen 20 und 60 ms ist das Netz dreimal so langsam. Im Wechsel zwei Forwards und zwei Backwards: Während die Nachricht des einen Micro-Batches unterwegs ist, arbeitet das Gerät am anderen. Bezahlt wird mit Speicher: k·p = 8 Micro-Batches.</translation>
    </message>
    <message>
        <source>Try: set the group to 1, which is plain 1F1B. The makespan grows by a third.</source>
        <translation>Zum Ausprobieren: die Gruppe auf 1 setzen; das ist gewöhnliches 1F1B. Die Gesamtdauer wächst um ein Drittel.</translation>
    </message>
    <message>
        <source>Seq1F1B: long sequences in segments</source>
        <translation>Seq1F1B: lange Sequenzen in Segmenten</translation>
    </message>
    <message>
        <source>Each sequence is cut into four segments that follow each other through the pipeline. The bubble shrinks with the segment, from 9 to 2.25 ms, and device 0 holds 1.75 micro-batches: room for long contexts.</source>
        <translation>Jede Sequenz ist in vier Segmente geschnitten, die einander durch die Pipeline folgen. Die Bubble schrumpft mit dem Segment von 9 auf 2.25 ms, und Gerät 0 hält 1.75 Micro-Batches: Platz für lange Kontexte.</translation>
    </message>
    <message>
        <source>Try: two segments, then eight.</source>
        <translation>Zum Ausprobieren: zwei Segmente, dann acht.</translation>
    </message>
    <message>
        <source>DualPipe: from both ends</source>
        <translation>DualPipe: von beiden Enden</translation>
    </message>
    <message>
        <source>Two copies of the model in opposite directions; micro-batches enter at both ends. A forward of one direction and a backward of the other run as one pair, which takes 2.5 ms in place of 3, as its messages hide behind its work.</source>
        <translation>Zwei Kopien des Modells in entgegengesetzten Richtungen; Micro-Batches kommen an beiden Enden herein. Ein Forward der einen und ein Backward der anderen Richtung laufen als ein Paar, das 2.5 statt 3 ms dauert, weil seine Nachrichten hinter der Arbeit verdeckt sind.</translation>
    </message>
    <message>
        <source>Try: Chimera has two directions without pairs.</source>
        <translation>Zum Ausprobieren: Chimera hat zwei Richtungen ohne Paare.</translation>
    </message>
    <message>
        <source>PipeDream-2BW: no flush between steps</source>
        <translation>PipeDream-2BW: kein Leeren zwischen Schritten</translation>
    </message>
    <message>
        <source>Three optimizer steps without waiting at their ends: one bubble in all, not one a step. Gradients of a step make a weight version that is first read two steps later, so every device keeps two versions.</source>
        <translation>Drei Optimierer-Schritte, ohne an ihren Enden zu warten: eine einzige Bubble, nicht eine je Schritt. Die Gradienten eines Schritts ergeben eine Gewichtsversion, die erst zwei Schritte später gelesen wird; deshalb behält jedes Gerät zwei Versionen.</translation>
    </message>
    <message>
        <source>Try: change the family to 1F1B: three steps, three bubbles.</source>
        <translation>Zum Ausprobieren: die Familie 1F1B wählen: drei Schritte, drei Bubbles.</translation>
    </message>
</context>
<context>
    <name>pw::ui::ScatterChart</name>
    <message>
        <source>Time against memory</source>
        <translation>Zeit gegen Speicher</translation>
    </message>
    <message>
        <source> +%1</source>
        <translation> +%1</translation>
    </message>
</context>
<context>
    <name>pw::ui::ScheduleDocument</name>
    <message>
        <source>The schedule is being computed</source>
        <translation>Der Ablaufplan wird berechnet</translation>
    </message>
    <message>
        <source>The schedule of the family was not computed</source>
        <translation>Der Ablaufplan der Familie wurde nicht berechnet</translation>
    </message>
    <message>
        <source>Own order</source>
        <translation>Eigene Reihenfolge</translation>
    </message>
    <message>
        <source>%1 missing</source>
        <translation>%1 fehlen</translation>
    </message>
    <message>
        <source>%1 is being computed: wait for it, or cancel it first</source>
        <translation>%1 wird berechnet: warten oder erst abbrechen</translation>
    </message>
</context>
<context>
    <name>pw::ui::SchedulePage</name>
    <message>
        <source>makespan %1     span bubble %2     wall bubble %3     peak %4 micro-batches</source>
        <translation>Gesamtdauer %1     Span-Bubble %2     Wall-Bubble %3     Spitze %4 Micro-Batches</translation>
    </message>
    <message>
        <source>&lt;b&gt;Free edit&lt;/b&gt;: rules may be broken. &lt;a href=&quot;rules&quot;&gt;Keep the rules&lt;/a&gt;</source>
        <translation>&lt;b&gt;Freies Bearbeiten&lt;/b&gt;: Regeln dürfen gebrochen werden. &lt;a href=&quot;rules&quot;&gt;Regeln einhalten&lt;/a&gt;</translation>
    </message>
    <message>
        <source>Computing %1 … &lt;a href=&quot;cancel&quot;&gt;Cancel&lt;/a&gt;</source>
        <translation>%1 wird berechnet … &lt;a href=&quot;cancel&quot;&gt;Abbrechen&lt;/a&gt;</translation>
    </message>
    <message>
        <source>%1. &lt;a href=&quot;compute&quot;&gt;Compute it&lt;/a&gt;</source>
        <translation>%1. &lt;a href=&quot;compute&quot;&gt;Berechnen&lt;/a&gt;</translation>
    </message>
    <message>
        <source>, and %1 more</source>
        <translation>, und %1 weitere</translation>
    </message>
    <message>
        <source>%1. &lt;a href=&quot;problems&quot;&gt;Show problems&lt;/a&gt;</source>
        <translation>%1. &lt;a href=&quot;problems&quot;&gt;Probleme zeigen&lt;/a&gt;</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Pipewright projects (*.pipewright.json *.json)</source>
        <translation>Pipewright-Projekte (*.pipewright.json *.json)</translation>
    </message>
    <message>
        <source>Not saved</source>
        <translation>Nicht gespeichert</translation>
    </message>
</context>
<context>
    <name>pw::ui::ScheduleSource</name>
    <message>
        <source>idles: %1 could run, but there is no memory for its activation</source>
        <translation>steht still: %1 könnte laufen, aber für seine Aktivierung ist kein Speicher da</translation>
    </message>
    <message>
        <source>waits for %1</source>
        <translation>wartet auf %1</translation>
    </message>
    <message>
        <source>waits for %1 from device %2</source>
        <translation>wartet auf %1 von Gerät %2</translation>
    </message>
    <message>
        <source>waits until its last result is taken</source>
        <translation>wartet, bis sein letztes Ergebnis abgeholt ist</translation>
    </message>
    <message>
        <source>waits for the message of %1 from device %2</source>
        <translation>wartet auf die Nachricht von %1 von Gerät %2</translation>
    </message>
    <message>
        <source>goal: at most %1</source>
        <translation>Ziel: höchstens %1</translation>
    </message>
    <message>
        <source>waits until its activation is back from the host</source>
        <translation>wartet, bis seine Aktivierung vom Host zurück ist</translation>
    </message>
</context>
<context>
    <name>pw::ui::SettingsList</name>
    <message>
        <source>No setting is called that.</source>
        <translation>Keine Einstellung heißt so.</translation>
    </message>
    <message>
        <source>Search settings</source>
        <translation>Einstellungen durchsuchen</translation>
    </message>
</context>
<context>
    <name>pw::ui::ShapeFields</name>
    <message>
        <source>Family</source>
        <translation>Familie</translation>
    </message>
    <message>
        <source>&amp;Devices</source>
        <translation>&amp;Geräte</translation>
    </message>
    <message>
        <source>&amp;Micro-batches</source>
        <translation>&amp;Micro-Batches</translation>
    </message>
    <message>
        <source>Of one optimizer step</source>
        <translation>Eines Optimierer-Schritts</translation>
    </message>
    <message>
        <source>Se&amp;gment lengths</source>
        <translation>Seg&amp;mentlängen</translation>
    </message>
    <message>
        <source>equal</source>
        <translation>gleich</translation>
    </message>
    <message>
        <source>Relative lengths of a sequence&apos;s segments, with commas between</source>
        <translation>Relative Längen der Segmente einer Sequenz, mit Kommas dazwischen</translation>
    </message>
    <message>
        <source>Optimizer steps</source>
        <translation>Optimierer-Schritte</translation>
    </message>
    <message>
        <source>shown</source>
        <translation>zeigen</translation>
    </message>
    <message>
        <source>U passes in the schedule also of a single step</source>
        <translation>U-Durchläufe im Ablaufplan auch bei einem einzigen Schritt</translation>
    </message>
    <message>
        <source>&amp;Updates U</source>
        <translation>&amp;Updates U</translation>
    </message>
    <message>
        <source>&amp;Placement</source>
        <translation>&amp;Platzierung</translation>
    </message>
    <message>
        <source>Updates</source>
        <translation>Updates</translation>
    </message>
    <message>
        <source>own order</source>
        <translation>eigene Reihenfolge</translation>
    </message>
    <message>
        <source>Several steps and asynchronous updates need U passes.</source>
        <translation>Mehrere Schritte und asynchrone Updates brauchen U-Durchläufe.</translation>
    </message>
    <message>
        <source>Segment lengths</source>
        <translation>Segmentlängen</translation>
    </message>
    <message>
        <source>Placement</source>
        <translation>Platzierung</translation>
    </message>
    <message>
        <source>The orders are your own now. “Reset to the family” in the menu Schedule brings the family back, with this field.</source>
        <translation>Die Reihenfolgen sind jetzt Ihre eigenen. „Auf die Familie zurücksetzen“ im Menü Ablaufplan bringt die Familie zurück und mit ihr dieses Feld.</translation>
    </message>
</context>
<context>
    <name>pw::ui::SlurmFields</name>
    <message>
        <source>Part&amp;ition</source>
        <translation>Part&amp;ition</translation>
    </message>
    <message>
        <source>the cluster&apos;s</source>
        <translation>die des Clusters</translation>
    </message>
    <message>
        <source>No&amp;des</source>
        <translation>K&amp;noten</translation>
    </message>
    <message>
        <source>as needed</source>
        <translation>nach Bedarf</translation>
    </message>
    <message>
        <source>Tas&amp;ks</source>
        <translation>Tas&amp;ks</translation>
    </message>
    <message>
        <source>one a device</source>
        <translation>einer je Gerät</translation>
    </message>
    <message>
        <source>&amp;GPUs a task</source>
        <translation>&amp;GPUs je Task</translation>
    </message>
    <message>
        <source>Ti&amp;me</source>
        <translation>&amp;Zeit</translation>
    </message>
    <message>
        <source>the partition&apos;s</source>
        <translation>die der Partition</translation>
    </message>
    <message>
        <source>Acc&amp;ount</source>
        <translation>K&amp;onto</translation>
    </message>
    <message>
        <source>yours</source>
        <translation>das eigene</translation>
    </message>
    <message>
        <source>Minutes, hours:minutes:seconds or days-hours: 30, 2:00:00, 1-12</source>
        <translation>Minuten, Stunden:Minuten:Sekunden oder Tage-Stunden: 30, 2:00:00, 1-12</translation>
    </message>
    <message>
        <source>The batch script</source>
        <translation>Das Batch-Skript</translation>
    </message>
    <message>
        <source>--ntasks=(the schedule&apos;s devices)</source>
        <translation>--ntasks=(Geräte des Ablaufplans)</translation>
    </message>
</context>
<context>
    <name>pw::ui::SpecPanel</name>
    <message>
        <source>From model and machine…</source>
        <translation>Kosten aus Modell und Maschine…</translation>
    </message>
    <message>
        <source>Times and bytes of a transformer on a machine</source>
        <translation>Zeiten und Bytes eines Transformers auf einer Maschine</translation>
    </message>
    <message>
        <source>Stage table…</source>
        <translation>Stufentabelle…</translation>
    </message>
    <message>
        <source>Times and bytes of every stage</source>
        <translation>Zeiten und Bytes jeder Stufe</translation>
    </message>
    <message>
        <source>Costs file…</source>
        <translation>Datei…</translation>
    </message>
    <message>
        <source>Links…</source>
        <translation>Leitungen…</translation>
    </message>
    <message>
        <source>Latency and bandwidth of messages, and the network over time</source>
        <translation>Latenz und Bandbreite der Nachrichten und das Netz im Zeitverlauf</translation>
    </message>
    <message>
        <source>Back to equal stages</source>
        <translation>Wieder gleiche Stufen</translation>
    </message>
    <message>
        <source>One time for every stage; the mean, where they differ</source>
        <translation>Eine Zeit für jede Stufe; das Mittel, wo sie sich unterscheiden</translation>
    </message>
    <message>
        <source>%1.</source>
        <translation>%1.</translation>
    </message>
    <message>
        <source>Equal stages</source>
        <translation>Gleiche Stufen</translation>
    </message>
    <message>
        <source>The mean of the stages, since they are not equal: %1. Undo brings the table back.</source>
        <translation>Das Mittel der Stufen, da sie nicht gleich sind: %1. Rückgängig bringt die Tabelle zurück.</translation>
    </message>
    <message>
        <source>Stage table</source>
        <translation>Stufentabelle</translation>
    </message>
    <message>
        <source>Costs of a model and a machine</source>
        <translation>Kosten aus Modell und Maschine</translation>
    </message>
    <message>
        <source>Links</source>
        <translation>Leitungen</translation>
    </message>
    <message>
        <source>Open measured costs</source>
        <translation>Gemessene Kosten öffnen</translation>
    </message>
    <message>
        <source>Costs (*.json)</source>
        <translation>Kosten (*.json)</translation>
    </message>
    <message>
        <source>Reading %1 …</source>
        <translation>%1 wird gelesen …</translation>
    </message>
    <message>
        <source>Costs of %1</source>
        <translation>Kosten von %1</translation>
    </message>
    <message>
        <source>What “pipewright costs calibrate” measured</source>
        <translation>Was „pipewright costs calibrate“ gemessen hat</translation>
    </message>
</context>
<context>
    <name>pw::ui::SplitBars</name>
    <message>
        <source>Layers of the stages</source>
        <translation>Schichten der Stufen</translation>
    </message>
    <message>
        <source>Left and right choose a boundary between two stages, with Ctrl they move it by a layer.</source>
        <translation>Links und rechts wählen eine Grenze zwischen zwei Stufen, mit Strg verschieben sie sie um eine Schicht.</translation>
    </message>
    <message>
        <source>Drag a boundary to move layers between two stages. Left and right choose a boundary, with Ctrl they move it by a layer.</source>
        <translation>Eine Grenze ziehen verschiebt Schichten zwischen zwei Stufen. Links und rechts wählen eine Grenze, mit Strg verschieben sie sie um eine Schicht.</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 ms</source>
        <translation>%1 ms</translation>
    </message>
    <message>
        <source>%1 GiB</source>
        <translation>%1 GiB</translation>
    </message>
</context>
<context>
    <name>pw::ui::SpreadChart</name>
    <message>
        <source>Spread of the makespan</source>
        <translation>Streuung der Gesamtdauer</translation>
    </message>
    <message>
        <source>median %1, nine of ten between %2 and %3</source>
        <translation>Median %1, neun von zehn zwischen %2 und %3</translation>
    </message>
    <message>
        <source>median %1</source>
        <translation>Median %1</translation>
    </message>
    <message>
        <source>without noise</source>
        <translation>ohne Rauschen</translation>
    </message>
    <message>
        <source>5 %: %1</source>
        <translation>5 %: %1</translation>
    </message>
    <message>
        <source>95 %: %1</source>
        <translation>95 %: %1</translation>
    </message>
</context>
<context>
    <name>pw::ui::StackedTimelines</name>
    <message>
        <source>makespan of %1</source>
        <translation>Gesamtdauer von %1</translation>
    </message>
    <message>
        <source>Take %1 out of the comparison</source>
        <translation>%1 aus dem Vergleich nehmen</translation>
    </message>
    <message>
        <source>Timeline of %1</source>
        <translation>Zeitleiste von %1</translation>
    </message>
    <message>
        <source>%1 ↔ %2</source>
        <translation>%1 ↔ %2</translation>
    </message>
    <message>
        <source>Comparison of %1</source>
        <translation>Vergleich von %1</translation>
    </message>
    <message>
        <source>A timeline is not there yet.</source>
        <translation>Eine Zeitleiste ist noch nicht da.</translation>
    </message>
    <message>
        <source>Keeps the comparison beside the runs, where it is opened again.</source>
        <translation>Behält den Vergleich bei den Läufen, wo er wieder geöffnet wird.</translation>
    </message>
    <message>
        <source>Not everything is read yet.</source>
        <translation>Noch ist nicht alles gelesen.</translation>
    </message>
    <message>
        <source>&amp;Keep this answer</source>
        <translation>Diese Ant&amp;wort behalten</translation>
    </message>
</context>
<context>
    <name>pw::ui::StageBars</name>
    <message>
        <source>stage %1: %2</source>
        <translation>Stufe %1: %2</translation>
    </message>
    <message>
        <source>Work of the stages against their mean</source>
        <translation>Arbeit der Stufen gegen ihr Mittel</translation>
    </message>
    <message>
        <source>work against the mean</source>
        <translation>Arbeit gegen das Mittel</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>Stufe %1</translation>
    </message>
</context>
<context>
    <name>pw::ui::StageCard</name>
    <message>
        <source>Idle so far: %1 of %2 on %3. It ends at %4.</source>
        <translation>Leerlauf bisher: %1 von %2 (%3). Ende bei %4.</translation>
    </message>
    <message>
        <source>Red line: the chain of passes that decides the end, %1 of %2 so far.</source>
        <translation>Rote Linie: die Kette der Durchläufe, die das Ende bestimmt, bisher %1 von %2.</translation>
    </message>
    <message>
        <source>step %1 of %2</source>
        <translation>Schritt %1 von %2</translation>
    </message>
</context>
<context>
    <name>pw::ui::StageTable</name>
    <message>
        <source>stage %1, segment %2</source>
        <translation>Stufe %1, Segment %2</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>MiB</source>
        <translation>MiB</translation>
    </message>
    <message>
        <source>F</source>
        <translation>F</translation>
    </message>
    <message>
        <source>the time of F</source>
        <translation>die Zeit von F</translation>
    </message>
    <message>
        <source>Forward of one micro-batch</source>
        <translation>Forward eines Micro-Batches</translation>
    </message>
    <message>
        <source>B</source>
        <translation>B</translation>
    </message>
    <message>
        <source>the time of B</source>
        <translation>die Zeit von B</translation>
    </message>
    <message>
        <source>Backward for the input</source>
        <translation>Backward der Eingabe</translation>
    </message>
    <message>
        <source>W</source>
        <translation>W</translation>
    </message>
    <message>
        <source>the time of W</source>
        <translation>die Zeit von W</translation>
    </message>
    <message>
        <source>Backward for the weights</source>
        <translation>Backward der Gewichte</translation>
    </message>
    <message>
        <source>BW</source>
        <translation>BW</translation>
    </message>
    <message>
        <source>the time of BW</source>
        <translation>die Zeit von BW</translation>
    </message>
    <message>
        <source>Backward for both, unsplit. Empty: B + W</source>
        <translation>Backward für beides, ungeteilt. Leer: B + W</translation>
    </message>
    <message>
        <source>R</source>
        <translation>R</translation>
    </message>
    <message>
        <source>the time of R</source>
        <translation>die Zeit von R</translation>
    </message>
    <message>
        <source>Recomputation. Empty: as F</source>
        <translation>Neuberechnung. Leer: wie F</translation>
    </message>
    <message>
        <source>F+BW</source>
        <translation>F+BW</translation>
    </message>
    <message>
        <source>the time of a pair</source>
        <translation>die Zeit eines Paars</translation>
    </message>
    <message>
        <source>An F and a BW that run overlapped. Empty: the sum of both</source>
        <translation>Ein F und ein BW, die überlappt laufen. Leer: die Summe beider</translation>
    </message>
    <message>
        <source>U</source>
        <translation>U</translation>
    </message>
    <message>
        <source>the time of U</source>
        <translation>die Zeit von U</translation>
    </message>
    <message>
        <source>Update of a stage&apos;s weights. Empty: no time</source>
        <translation>Update der Gewichte einer Stufe. Leer: keine Zeit</translation>
    </message>
    <message>
        <source>Activation</source>
        <translation>Aktivierung</translation>
    </message>
    <message>
        <source>the activation</source>
        <translation>die Aktivierung</translation>
    </message>
    <message>
        <source>What one micro-batch keeps from its F on</source>
        <translation>Was ein Micro-Batch ab seinem F hält</translation>
    </message>
    <message>
        <source>Kept for W</source>
        <translation>Für W gehalten</translation>
    </message>
    <message>
        <source>what is kept for W</source>
        <translation>was für W gehalten wird</translation>
    </message>
    <message>
        <source>What of it is still held between B and W</source>
        <translation>Was davon zwischen B und W noch gehalten wird</translation>
    </message>
    <message>
        <source>Stash</source>
        <translation>Stash</translation>
    </message>
    <message>
        <source>the stash</source>
        <translation>der Stash</translation>
    </message>
    <message>
        <source>What of it F leaves where an R pass computes it again</source>
        <translation>Was F davon dort lässt, wo ein R-Durchlauf es neu berechnet</translation>
    </message>
    <message>
        <source>F sends</source>
        <translation>F sendet</translation>
    </message>
    <message>
        <source>the message of F</source>
        <translation>die Nachricht von F</translation>
    </message>
    <message>
        <source>What F sends to the next stage</source>
        <translation>Was F an die nächste Stufe sendet</translation>
    </message>
    <message>
        <source>B sends</source>
        <translation>B sendet</translation>
    </message>
    <message>
        <source>the message of B</source>
        <translation>die Nachricht von B</translation>
    </message>
    <message>
        <source>What the backward sends to the stage before</source>
        <translation>Was das Backward an die vorige Stufe sendet</translation>
    </message>
    <message>
        <source>Weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>the weights</source>
        <translation>die Gewichte</translation>
    </message>
    <message>
        <source>One version of them</source>
        <translation>Eine Version davon</translation>
    </message>
    <message>
        <source>Gradients</source>
        <translation>Gradienten</translation>
    </message>
    <message>
        <source>the gradients</source>
        <translation>die Gradienten</translation>
    </message>
    <message>
        <source>Of the stage&apos;s weights</source>
        <translation>Der Gewichte der Stufe</translation>
    </message>
    <message>
        <source>Optimizer</source>
        <translation>Optimierer</translation>
    </message>
    <message>
        <source>the optimizer&apos;s bytes</source>
        <translation>die Bytes des Optimierers</translation>
    </message>
    <message>
        <source>States and master weights</source>
        <translation>Zustände und Master-Gewichte</translation>
    </message>
    <message>
        <source>%1: more is kept for W than the activation has</source>
        <translation>%1: für W wird mehr gehalten, als die Aktivierung hat</translation>
    </message>
    <message>
        <source>%1: the stash is larger than the activation</source>
        <translation>%1: der Stash ist größer als die Aktivierung</translation>
    </message>
</context>
<context>
    <name>pw::ui::StageTableDialog</name>
    <message>
        <source>Stage table</source>
        <translation>Stufentabelle</translation>
    </message>
    <message>
        <source>Take as &amp;equal stages</source>
        <translation>Als &amp;gleiche Stufen übernehmen</translation>
    </message>
    <message>
        <source>Times and bytes of every stage</source>
        <translation>Zeiten und Bytes jeder Stufe</translation>
    </message>
    <message>
        <source>Of one micro-batch. Grey numbers follow from others. Paste cells from a spreadsheet, fill down with Ctrl+D, empty a cell with Delete.</source>
        <translation>Eines Micro-Batches. Graue Zahlen folgen aus anderen. Zellen aus einer Tabellenkalkulation einfügen, mit Strg+D nach unten füllen, mit Entf leeren.</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Ctrl+C: the chosen cells</source>
        <translation>Strg+C: die gewählten Zellen</translation>
    </message>
    <message>
        <source>&amp;Paste</source>
        <translation>&amp;Einfügen</translation>
    </message>
    <message>
        <source>Ctrl+V: from the chosen cell on</source>
        <translation>Strg+V: ab der gewählten Zelle</translation>
    </message>
    <message>
        <source>Fill &amp;down</source>
        <translation>Nach &amp;unten füllen</translation>
    </message>
    <message>
        <source>Ctrl+D: the topmost chosen number for all</source>
        <translation>Strg+D: die oberste gewählte Zahl für alle</translation>
    </message>
    <message>
        <source>One time for every stage, to be edited beside the schedule</source>
        <translation>Eine Zeit für jede Stufe, neben dem Ablaufplan zu ändern</translation>
    </message>
    <message>
        <source>Not equal: %1.</source>
        <translation>Nicht gleich: %1.</translation>
    </message>
</context>
<context>
    <name>pw::ui::StepCard</name>
    <message>
        <source>wall bubble</source>
        <translation>Wall</translation>
    </message>
</context>
<context>
    <name>pw::ui::StepEditor</name>
    <message>
        <source>An empty line parts paragraphs; **bold** and `code` are marks.</source>
        <translation>Eine Leerzeile trennt Absätze; **fett** und `Code` sind Auszeichnungen.</translation>
    </message>
    <message>
        <source>Title</source>
        <translation>Titel</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Task</source>
        <translation>Aufgabe</translation>
    </message>
    <message>
        <source>Hint 1 says</source>
        <translation>Tipp 1 sagt</translation>
    </message>
    <message>
        <source>Hint 2 shows</source>
        <translation>Tipp 2 zeigt</translation>
    </message>
    <message>
        <source>Save as…</source>
        <translation>Speichern unter…</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>Schließen</translation>
    </message>
    <message>
        <source>Questions</source>
        <translation>Fragen</translation>
    </message>
    <message>
        <source>The question; &apos;- &apos; before a wrong answer, &apos;+ &apos; before the right one, &apos;= &apos; before the reason. An empty line parts questions.</source>
        <translation>Die Frage; &apos;- &apos; vor einer falschen Antwort, &apos;+ &apos; vor der richtigen, &apos;= &apos; vor der Begründung. Eine leere Zeile trennt Fragen.</translation>
    </message>
    <message>
        <source>Goals</source>
        <translation>Ziele</translation>
    </message>
    <message>
        <source>A goal in each line: complete, makespan_ms 33, peak 4, interval 6 …</source>
        <translation>Ein Ziel in jeder Zeile: complete, makespan_ms 33, peak 4, interval 6 …</translation>
    </message>
    <message>
        <source>Passes</source>
        <translation>Durchläufe</translation>
    </message>
    <message>
        <source>What each stage does with a micro-batch: F BW, or F B W; R may be added.</source>
        <translation>Was jede Stufe mit einem Micro-Batch tut: F BW, oder F B W; R kann dazukommen.</translation>
    </message>
    <message>
        <source>Choices</source>
        <translation>Auswahl</translation>
    </message>
    <message>
        <source>A family in each line, then numbers of micro-batches and options: gpipe 8 16, interleaved-1f1b 8 chunks=2.</source>
        <translation>Eine Familie in jeder Zeile, dann Zahlen von Micro-Batches und Optionen: gpipe 8 16, interleaved-1f1b 8 chunks=2.</translation>
    </message>
    <message>
        <source>Begin with this</source>
        <translation>Damit beginnen</translation>
    </message>
    <message>
        <source>What stands in the level now is what it begins with.</source>
        <translation>Was jetzt im Level steht, ist das, womit er beginnt.</translation>
    </message>
    <message>
        <source>Demonstrate this</source>
        <translation>Das vorführen</translation>
    </message>
    <message>
        <source>What you have done in the level is its demonstration.</source>
        <translation>Was du im Level getan hast, ist seine Vorführung.</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>Prüfen</translation>
    </message>
    <message>
        <source>The level will begin with what stood when you said so.</source>
        <translation>Der Level beginnt mit dem, was stand, als du es gesagt hast.</translation>
    </message>
    <message>
        <source>The demonstration will show what stood when you said so.</source>
        <translation>Die Vorführung zeigt, was stand, als du es gesagt hast.</translation>
    </message>
    <message>
        <source>The level can be solved, and its par is proven.</source>
        <translation>Der Level ist lösbar, und sein Par ist bewiesen.</translation>
    </message>
    <message>
        <source>Demonstration</source>
        <translation>Vorführung</translation>
    </message>
    <message>
        <source>An act in each line: place 0 F0, move 0 3 1, remove 0 3, shift 1:B0.1 -2, interval 6, layer 0 1, toggle 0 F3 …</source>
        <translation>Eine Handlung je Zeile: place 0 F0, move 0 3 1, remove 0 3, shift 1:B0.1 -2, interval 6, layer 0 1, toggle 0 F3 …</translation>
    </message>
    <message>
        <source>Record</source>
        <translation>Aufzeichnen</translation>
    </message>
    <message>
        <source>What you do in the level from now on becomes its demonstration, act by act.</source>
        <translation>Was du von jetzt an im Level tust, wird ihre Vorführung, Handlung für Handlung.</translation>
    </message>
    <message>
        <source>What you do in the level is recorded.</source>
        <translation>Was du im Level tust, wird aufgezeichnet.</translation>
    </message>
</context>
<context>
    <name>pw::ui::StepStrip</name>
    <message>
        <source>Steps of the job</source>
        <translation>Schritte des Jobs</translation>
    </message>
    <message>
        <source>step %1: %2, %3 against the median</source>
        <translation>Schritt %1: %2, %3 gegen den Median</translation>
    </message>
    <message>
        <source>%1; it does not count</source>
        <translation>%1; er zählt nicht</translation>
    </message>
</context>
<context>
    <name>pw::ui::StepsView</name>
    <message>
        <source>span bubble</source>
        <translation>Span-Bubble</translation>
    </message>
    <message>
        <source>wall bubble</source>
        <translation>Wall-Bubble</translation>
    </message>
    <message>
        <source>makespan</source>
        <translation>Gesamtdauer</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>%1 mb</source>
        <translation>%1 mb</translation>
    </message>
    <message>
        <source>1  Repeat</source>
        <translation>1  Wiederholen</translation>
    </message>
    <message>
        <source>The block again at every interval, as it is drawn.</source>
        <translation>Der Baustein in jedem Intervall noch einmal, wie gezeichnet.</translation>
    </message>
    <message>
        <source>2  Squeeze</source>
        <translation>2  Pressen</translation>
    </message>
    <message>
        <source>Without idle time that nothing asks for; every device keeps its order.</source>
        <translation>Ohne Leerlauf, den nichts verlangt; jedes Gerät behält seine Reihenfolge.</translation>
    </message>
    <message>
        <source>3  Reorder</source>
        <translation>3  Umordnen</translation>
    </message>
    <message>
        <source>Passes of warm-up and cool-down move into free time, as long as no device keeps more than before.</source>
        <translation>Durchläufe aus An- und Auslauf rücken in freie Zeit, solange kein Gerät mehr hält als zuvor.</translation>
    </message>
    <message>
        <source>The arrangement of the chosen stage</source>
        <translation>Die Anordnung des gewählten Schritts</translation>
    </message>
    <message>
        <source>This has no order that runs.</source>
        <translation>Das hat keine ausführbare Reihenfolge.</translation>
    </message>
    <message>
        <source>Repeat the block to see what it becomes.</source>
        <translation>Den Baustein wiederholen, um zu sehen, was daraus wird.</translation>
    </message>
    <message>
        <source>%1 on %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>%1, as drawn: %2.</source>
        <translation>%1, wie gezeichnet: %2.</translation>
    </message>
    <message>
        <source>%1: nothing moves, it is as before.</source>
        <translation>%1: Nichts bewegt sich, es ist wie zuvor.</translation>
    </message>
    <message>
        <source>%1: %2 of %3 passes start at another time, %4 units instead of %5.</source>
        <translation>%1: %2 von %3 Durchläufen beginnen zu anderer Zeit, %4 Einheiten statt %5.</translation>
    </message>
    <message>
        <source>%1: %2 to %3</source>
        <translation>%1: %2 bis %3</translation>
    </message>
    <message>
        <source>, %1 earlier than before</source>
        <translation>, %1 früher als zuvor</translation>
    </message>
    <message>
        <source>, %1 later than before</source>
        <translation>, %1 später als zuvor</translation>
    </message>
</context>
<context>
    <name>pw::ui::StretchLine</name>
    <message>
        <source>%1 marked: busy %2, idle %3.</source>
        <translation>%1 markiert: %2 belegt, %3 Leerlauf.</translation>
    </message>
    <message>
        <source>%1 marked, on %2 lanes: busy %3, idle %4 while others are busy and %5 while none is.</source>
        <translation>%1 markiert, auf %2 Spuren: %3 belegt, %4 Leerlauf, während andere belegt sind, und %5, während keine es ist.</translation>
    </message>
</context>
<context>
    <name>pw::ui::SweepPart</name>
    <message>
        <source>Choose what is swept: one curve a family.</source>
        <translation>Wählen Sie, was durchlaufen wird: eine Kurve je Familie.</translation>
    </message>
    <message>
        <source>Sweep</source>
        <translation>Reihe</translation>
    </message>
    <message>
        <source>none</source>
        <translation>keine</translation>
    </message>
    <message>
        <source>devices</source>
        <translation>Geräte</translation>
    </message>
    <message>
        <source>micro-batches</source>
        <translation>Micro-Batches</translation>
    </message>
    <message>
        <source>k</source>
        <translation>k</translation>
    </message>
    <message>
        <source>chunks</source>
        <translation>Chunks</translation>
    </message>
    <message>
        <source>Curves over a number: k of kFkB and groups, chunks a device.</source>
        <translation>Kurven über eine Zahl: k von kFkB und Gruppen, Chunks je Gerät.</translation>
    </message>
    <message>
        <source>Fro&amp;m</source>
        <translation>&amp;Von</translation>
    </message>
    <message>
        <source>T&amp;o</source>
        <translation>Bi&amp;s</translation>
    </message>
    <message>
        <source>Sho&amp;w</source>
        <translation>&amp;Zeigen</translation>
    </message>
    <message>
        <source>bubble</source>
        <translation>Bubble</translation>
    </message>
    <message>
        <source>time of a micro-batch</source>
        <translation>Zeit eines Micro-Batchs</translation>
    </message>
    <message>
        <source>makespan</source>
        <translation>Gesamtdauer</translation>
    </message>
    <message>
        <source>peak</source>
        <translation>Spitze</translation>
    </message>
    <message>
        <source>Sweeping …</source>
        <translation>Reihe wird berechnet …</translation>
    </message>
    <message>
        <source>No family takes these numbers; choose others.</source>
        <translation>Keine Familie nimmt diese Zahlen; andere wählen.</translation>
    </message>
</context>
<context>
    <name>pw::ui::TimeRuler</name>
    <message>
        <source>Time axis</source>
        <translation>Zeitachse</translation>
    </message>
</context>
<context>
    <name>pw::ui::TimelineSource</name>
    <message>
        <source>%1 of micro-batch %2</source>
        <translation>%1 von Micro-Batch %2</translation>
    </message>
</context>
<context>
    <name>pw::ui::TimelineView</name>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>A lane a device; passes over time</source>
        <translation>Eine Spur je Gerät; Durchläufe über der Zeit</translation>
    </message>
</context>
<context>
    <name>pw::ui::TimelineWorkspace</name>
    <message>
        <source>device %1</source>
        <translation>Gerät %1</translation>
    </message>
    <message>
        <source>all devices</source>
        <translation>alle Geräte</translation>
    </message>
</context>
<context>
    <name>pw::ui::TraceKeeping</name>
    <message>
        <source>Stopping: what was written is taken back…</source>
        <translation>Abbruch: Geschriebenes wird zurückgenommen …</translation>
    </message>
    <message>
        <source>Putting the passes in order…</source>
        <translation>Die Durchläufe werden geordnet …</translation>
    </message>
    <message>
        <source>%1 written; closing the store…</source>
        <translation>%1 geschrieben; die Ablage wird geschlossen …</translation>
    </message>
    <message>
        <source>%1 written</source>
        <translation>%1 geschrieben</translation>
    </message>
    <message>
        <source>%1 of about %2 written</source>
        <translation>%1 von etwa %2 geschrieben</translation>
    </message>
</context>
<context>
    <name>pw::ui::TraceNamesModel</name>
    <message>
        <source>nothing</source>
        <translation>nichts</translation>
    </message>
    <message>
        <source>%1, where arguments say its micro-batch</source>
        <translation>%1, wo Argumente seinen Micro-Batch nennen</translation>
    </message>
    <message>
        <source>this rule</source>
        <translation>diese Regel</translation>
    </message>
    <message>
        <source>known</source>
        <translation>bekannt</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Spans</source>
        <translation>Spannen</translation>
    </message>
    <message>
        <source>Says</source>
        <translation>Sagt</translation>
    </message>
    <message>
        <source>Read by</source>
        <translation>Gelesen von</translation>
    </message>
</context>
<context>
    <name>pw::ui::TraceSearch</name>
    <message>
        <source>Search names; /pattern/ for an expression; Enter: the next</source>
        <translation>Namen suchen; /Muster/ für einen Ausdruck; Enter: weiter</translation>
    </message>
    <message>
        <source>Nothing is called %1.</source>
        <translation>Nichts heißt %1.</translation>
    </message>
    <message>
        <source>%1 of %2 names match.</source>
        <translation>%1 von %2 Namen passen.</translation>
    </message>
    <message>
        <source>no match</source>
        <translation>kein Treffer</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
</context>
<context>
    <name>pw::ui::WelcomePage</name>
    <message>
        <source>Pipewright</source>
        <translation>Pipewright</translation>
    </message>
    <message>
        <source>Schedules of pipeline-parallel training: drag building blocks into a timeline, watch bubble and memory, run it.</source>
        <translation>Ablaufpläne des pipeline-parallelen Trainings: Bausteine in eine Zeitleiste ziehen, Bubble und Speicher sehen, ausführen.</translation>
    </message>
    <message>
        <source>Recovered after a crash</source>
        <translation>Nach einem Absturz wiederhergestellt</translation>
    </message>
    <message>
        <source>Start</source>
        <translation>Beginnen</translation>
    </message>
    <message>
        <source>Learn: from a first micro-batch to V-Half</source>
        <translation>Lernen: vom ersten Micro-Batch bis zu V-Half</translation>
    </message>
    <message>
        <source>Open a file…</source>
        <translation>Datei öffnen…</translation>
    </message>
    <message>
        <source>Or drag a family from the palette, a file, or a folder of traces into the window.</source>
        <translation>Oder eine Familie aus der Palette, eine Datei oder einen Ordner mit Traces ins Fenster ziehen.</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>Letzte Dateien</translation>
    </message>
    <message>
        <source>Samples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Choose a family on the left, or open a project.</source>
        <translation>Links eine Familie wählen oder ein Projekt öffnen.</translation>
    </message>
    <message>
        <source>None yet: what you open and save is listed here.</source>
        <translation>Noch keine: Geöffnetes und Gespeichertes steht hier.</translation>
    </message>
    <message>
        <source>A schedule without a file</source>
        <translation>Ein Ablaufplan ohne Datei</translation>
    </message>
    <message>
        <source>%1, as of %2</source>
        <translation>%1, Stand %2</translation>
    </message>
    <message>
        <source>Recover</source>
        <translation>Wiederherstellen</translation>
    </message>
    <message>
        <source>Recover %1</source>
        <translation>%1 wiederherstellen</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>Verwerfen</translation>
    </message>
    <message>
        <source>Discard %1</source>
        <translation>%1 verwerfen</translation>
    </message>
    <message>
        <source>Welcome</source>
        <translation>Willkommen</translation>
    </message>
    <message>
        <source>Start with a trace…</source>
        <translation>Mit einem Trace beginnen…</translation>
    </message>
    <message>
        <source>Any trace of PyTorch, Nsight Systems, Megatron, Perfetto … opens as a picture.</source>
        <translation>Jeder Trace von PyTorch, Nsight Systems, Megatron, Perfetto … öffnet sich als Bild.</translation>
    </message>
    <message>
        <source>Compose a schedule</source>
        <translation>Einen Ablaufplan bauen</translation>
    </message>
</context>
<context>
    <name>pw::ui::WhatIfPart</name>
    <message>
        <source>Reading what there is …</source>
        <translation>Vorhandenes wird gelesen …</translation>
    </message>
    <message>
        <source>as it is</source>
        <translation>unverändert</translation>
    </message>
    <message>
        <source>Fa&amp;mily</source>
        <translation>Fa&amp;milie</translation>
    </message>
    <message>
        <source>&amp;Devices</source>
        <translation>&amp;Geräte</translation>
    </message>
    <message>
        <source>Micro-&amp;batches</source>
        <translation>M&amp;icro-Batches</translation>
    </message>
    <message>
        <source>Ch&amp;unks</source>
        <translation>Ch&amp;unks</translation>
    </message>
    <message>
        <source>Stages of a device.</source>
        <translation>Stufen eines Geräts.</translation>
    </message>
    <message>
        <source>&amp;k</source>
        <translation>&amp;k</translation>
    </message>
    <message>
        <source>Size of a group, where the family has groups: k of kFkB.</source>
        <translation>Größe einer Gruppe, wo die Familie Gruppen hat: k von kFkB.</translation>
    </message>
    <message>
        <source>L&amp;ink</source>
        <translation>L&amp;eitung</translation>
    </message>
    <message>
        <source>times as slow</source>
        <translation>mal so langsam</translation>
    </message>
    <message>
        <source>takes ms</source>
        <translation>Dauer in ms</translation>
    </message>
    <message>
        <source>B&amp;y</source>
        <translation>&amp;Wert</translation>
    </message>
    <message>
        <source>&amp;W of BW</source>
        <translation>W &amp;von BW</translation>
    </message>
    <message>
        <source>%</source>
        <translation>%</translation>
    </message>
    <message>
        <source>measured</source>
        <translation>gemessen</translation>
    </message>
    <message>
        <source>How much of BW is W, for orders with B and W where only BW was measured.</source>
        <translation>Welcher Teil von BW W ist, für Reihenfolgen mit B und W, wo nur BW gemessen ist.</translation>
    </message>
    <message>
        <source>&amp;Open as a schedule</source>
        <translation>Als Ablauf&amp;plan öffnen</translation>
    </message>
    <message>
        <source>Opens the prediction with its costs in a tab of its own.</source>
        <translation>Öffnet die Vorhersage mit ihren Kosten in einem eigenen Tab.</translation>
    </message>
    <message>
        <source> ms</source>
        <translation> ms</translation>
    </message>
    <message>
        <source> ×</source>
        <translation> ×</translation>
    </message>
    <message>
        <source>No family makes exactly this order, so it has no other shape: choose a family.</source>
        <translation>Keine Familie macht genau diese Reihenfolge, darum hat sie keine andere Form: eine Familie wählen.</translation>
    </message>
    <message>
        <source>%1 has no %2: choose a family that has.</source>
        <translation>%1 kennt %2 nicht: eine Familie wählen, die es hat.</translation>
    </message>
    <message>
        <source>%1 devices</source>
        <translation>%1 Geräte</translation>
    </message>
    <message>
        <source>%1 micro-batches</source>
        <translation>%1 Micro-Batches</translation>
    </message>
    <message>
        <source>%1 chunks</source>
        <translation>%1 Chunks</translation>
    </message>
    <message>
        <source>k = %1</source>
        <translation>k = %1</translation>
    </message>
    <message>
        <source>links %1 times as slow</source>
        <translation>Leitungen %1-mal so langsam</translation>
    </message>
    <message>
        <source>links of %1 ms</source>
        <translation>Leitungen mit %1 ms</translation>
    </message>
    <message>
        <source>the same order, predicted</source>
        <translation>dieselbe Reihenfolge, vorhergesagt</translation>
    </message>
    <message>
        <source>%1: %2 after %3, %4.</source>
        <translation>%1: %2 statt %3, %4.</translation>
    </message>
    <message>
        <source> A micro-batch takes %1 after %2.</source>
        <translation> Ein Micro-Batch dauert %1 statt %2.</translation>
    </message>
    <message>
        <source> The order as it is was measured and is predicted %1 %2: so far predictions can be off.</source>
        <translation> Die unveränderte Reihenfolge ist gemessen und wird %1 %2 vorhergesagt: so weit können Vorhersagen danebenliegen.</translation>
    </message>
    <message>
        <source>longer</source>
        <translation>länger</translation>
    </message>
    <message>
        <source>shorter</source>
        <translation>kürzer</translation>
    </message>
    <message>
        <source> Assumed: %1.</source>
        <translation> Angenommen: %1.</translation>
    </message>
    <message>
        <source>Keep as a row</source>
        <translation>Als Zeile behalten</translation>
    </message>
    <message>
        <source>The prediction stays in the table; the fields go on to another one.</source>
        <translation>Die Vorhersage bleibt in der Tabelle; die Felder gehen zur nächsten.</translation>
    </message>
</context>
<context>
    <name>pw::ui::WhatIfRows</name>
    <message>
        <source>what if</source>
        <translation>was wäre, wenn</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
</context>
<context>
    <name>pw::ui::WorkerMap</name>
    <message>
        <source>Map of all workers</source>
        <translation>Karte aller Worker</translation>
    </message>
    <message>
        <source>stage %1</source>
        <translation>Stufe %1</translation>
    </message>
    <message>
        <source>replica</source>
        <translation>Replikat</translation>
    </message>
</context>
<context>
    <name>pw::ui::WorkerSpread</name>
    <message>
        <source>Spread over all workers</source>
        <translation>Streuung über alle Worker</translation>
    </message>
    <message>
        <source>%1 workers from %2 to %3; a click goes through them</source>
        <translation>%1 Worker von %2 bis %3; ein Klick geht sie durch</translation>
    </message>
    <message>
        <source>median %1</source>
        <translation>Median %1</translation>
    </message>
</context>
<context>
    <name>pw::ui::WorkerWords</name>
    <message>
        <source>%1 times the median of its stage</source>
        <translation>%1-mal der Median seiner Stufe</translation>
    </message>
    <message>
        <source>%1 times the median of the stages</source>
        <translation>%1-mal der Median der Stufen</translation>
    </message>
    <message>
        <source>%1 in F</source>
        <translation>%1 in F</translation>
    </message>
    <message>
        <source>%1 in backward passes</source>
        <translation>%1 in Rückwärtsdurchläufen</translation>
    </message>
    <message>
        <source>%1 of the step without a pass</source>
        <translation>%1 des Schritts ohne Durchlauf</translation>
    </message>
    <message>
        <source>%1 at its peak</source>
        <translation>%1 in der Spitze</translation>
    </message>
    <message>
        <source>stage %1 of replica %2, rank %3: %4</source>
        <translation>Stufe %1 von Replikat %2, Rang %3: %4</translation>
    </message>
    <message>
        <source>not known</source>
        <translation>nicht bekannt</translation>
    </message>
</context>
<context>
    <name>pw::ui::WorkersView</name>
    <message>
        <source>Every &amp;worker</source>
        <translation>&amp;Jeder Worker</translation>
    </message>
    <message>
        <source>of this step</source>
        <translation>dieses Schritts</translation>
    </message>
    <message>
        <source>median of all steps</source>
        <translation>Median aller Schritte</translation>
    </message>
    <message>
        <source>Which steps the map is of</source>
        <translation>Von welchen Schritten die Karte ist</translation>
    </message>
    <message>
        <source>Spread</source>
        <translation>Streuung</translation>
    </message>
    <message>
        <source>Shows how the figure is spread over all workers, with the outliers to be clicked.</source>
        <translation>Zeigt, wie die Größe über alle Worker streut; Ausreißer lassen sich anklicken.</translation>
    </message>
</context>
</TS>
