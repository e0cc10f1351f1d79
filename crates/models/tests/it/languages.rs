//! An English model keeps silent about other languages, and reads scientific English.

use text::language::{Languages, detect};

/// Sentences of at least thirty letters, of the kind a claim or a passage is.
const FOREIGN: &[&str] = &[
    // German
    "Aspirin senkt die Sterblichkeit nach einem Herzinfarkt deutlich.",
    "Vitamin D schützt ältere Menschen nicht vor Knochenbrüchen.",
    "Die Durchschnittstemperatur stieg im vergangenen Jahrhundert um 1,1 Grad.",
    "Rauchen verursacht Lungenkrebs, das ist seit Jahrzehnten bekannt.",
    // French
    "Le vaccin réduit fortement le risque de forme grave chez les personnes âgées.",
    "La consommation de sel augmente la pression artérielle.",
    "Les abeilles disparaissent à cause des pesticides.",
    // Spanish
    "El consumo de café no aumenta el riesgo de enfermedad cardiaca.",
    "La vacuna redujo las hospitalizaciones en un sesenta por ciento.",
    "Los glaciares de los Andes pierden masa desde hace cuarenta años.",
    // Italian
    "Il consumo di carne rossa aumenta il rischio di tumore al colon.",
    "La vitamina C non previene il raffreddore comune.",
    "I ghiacciai alpini hanno perso metà della loro superficie.",
    // Portuguese
    "O consumo de carne vermelha aumenta o risco de cancro do intestino.",
    "A vacina reduziu as mortes em mais de metade.",
    // Dutch
    "Koffie verhoogt het risico op hartziekten niet.",
    "De zeespiegel stijgt sneller dan eerder werd gedacht.",
    // Polish
    "Szczepionka zmniejsza ryzyko ciężkiego przebiegu choroby.",
    "Palenie tytoniu jest przyczyną raka płuc.",
    // Czech, Slovak, Croatian, Slovenian
    "Kouření je hlavní příčinou rakoviny plic.",
    "Očkovanie znižuje riziko ťažkého priebehu ochorenia.",
    "Cjepivo smanjuje rizik od teškog oblika bolesti.",
    "Cepivo zmanjša tveganje za hud potek bolezni.",
    // Turkish
    "Sigara akciğer kanserinin en önemli nedenidir.",
    "Aşı ağır hastalık riskini yarıdan fazla azaltmaktadır.",
    // Indonesian, Malay
    "Vaksin mengurangi risiko penyakit berat pada orang lanjut usia.",
    "Merokok adalah penyebab utama kanker paru-paru.",
    "Merokok ialah punca utama kanser paru-paru dalam kalangan lelaki.",
    // Swedish, Danish, Norwegian
    "Rökning är den vanligaste orsaken till lungcancer.",
    "Rygning er den vigtigste årsag til lungekræft.",
    "Røyking er den viktigste årsaken til lungekreft.",
    // Finnish, Estonian, Hungarian
    "Tupakointi on keuhkosyövän tärkein aiheuttaja.",
    "Suitsetamine on kopsuvähi peamine põhjus.",
    "A dohányzás a tüdőrák legfontosabb oka.",
    // Romanian, Catalan, Lithuanian, Latvian
    "Fumatul este principala cauză a cancerului pulmonar.",
    "El tabac és la causa principal del càncer de pulmó.",
    "Rūkymas yra pagrindinė plaučių vėžio priežastis.",
    "Smēķēšana ir galvenais plaušu vēža cēlonis.",
    // Vietnamese, Tagalog, Swahili, Latin
    "Hút thuốc lá là nguyên nhân chính gây ung thư phổi.",
    "Ang paninigarilyo ay pangunahing sanhi ng kanser sa baga.",
    "Uvutaji wa sigara ni sababu kuu ya saratani ya mapafu.",
    "Gallia est omnis divisa in partes tres, quarum unam incolunt Belgae.",
    // Short ones without much to go by
    "Dieses Medikament hilft gegen Kopfschmerzen.",
    "Deze medicijnen helpen tegen hoofdpijn.",
    "Questo farmaco riduce il mal di testa.",
    "Este medicamento alivia el dolor de cabeza.",
    "Ce médicament soulage les maux de tête.",
    "Este remédio alivia a dor de cabeça intensa.",
    "Obat tersebut dapat meredakan sakit kepala.",
    "Ten lek łagodzi ból głowy u dorosłych.",
    "Bu ilaç baş ağrısını hafifletmektedir.",
    "Denne medicin lindrer hovedpine hos voksne.",
    "Den här medicinen lindrar huvudvärk.",
    "Tämä lääke lievittää päänsärkyä aikuisilla.",
    // Other scripts
    "吸烟是导致肺癌的最主要原因，这一点几十年前就已经得到多项大型研究证实。",
    "喫煙は肺がんの最も大きな原因であることが数十年前から知られている。",
    "흡연은 폐암의 가장 중요한 원인으로 알려져 있으며 수십 년 동안 연구되었다.",
    "Курение является основной причиной рака лёгких.",
    "Куріння є головною причиною раку легенів у чоловіків.",
    "Το κάπνισμα είναι η κύρια αιτία του καρκίνου του πνεύμονα.",
    "التدخين هو السبب الرئيسي لسرطان الرئة عند الرجال والنساء.",
    "עישון הוא הגורם העיקרי לסרטן הריאות בקרב גברים ונשים.",
    "धूम्रपान पुरुषों और महिलाओं में फेफड़ों के कैंसर का सबसे बड़ा कारण है।",
    "การสูบบุหรี่เป็นสาเหตุหลักของมะเร็งปอดในผู้ชาย",
];

/// English whose terms look like another language to trigrams, or that quotes one.
const ENGLISH: &[&str] = &[
    "Simvastatin reduces platelet adhesion in atrial fibrillation.",
    "Candida albicans and Staphylococcus aureus modulate innate immunity.",
    "Serum ferritin predicts cardiovascular mortality.",
    "De novo mutations in sporadic autism spectrum disorders",
    "Garcia et al. measured in vivo glucose uptake per gram of tissue.",
    "The painter Vincent van Gogh was born in the village of Groot-Zundert.",
    "Raynaud's phenomenon was first described by Maurice Raynaud in 1862.",
    "Bone marrow cells don't contribute to adult macrophage compartments.",
    "Melancholia's director was Lars von Trier.",
    "Non-coding RNA regulates gene expression post-transcriptionally.",
    "Experimental studies on panel flutter at supersonic speeds",
    "The café near the Universität Zürich is open on Sundays.",
];

#[test]
fn foreign_sentences_of_thirty_letters_are_not_taken_for_english() {
    let english = Languages::new(["en"]);
    let letters = |text: &str| text.chars().filter(|it| it.is_alphabetic()).count();
    for text in FOREIGN {
        assert!(letters(text) >= 30, "only {} letters: {text}", letters(text));
        let found = detect(text);
        assert!(!english.admit(&found), "{found}: {text}");
    }
}

#[test]
fn english_is_read_whatever_its_terms_look_like() {
    let english = Languages::new(["en"]);
    for text in ENGLISH {
        let found = detect(text);
        assert!(english.admit(&found), "{found}: {text}");
    }
}
